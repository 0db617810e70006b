import { isDeepStrictEqual } from 'node:util'
import { isUnanswered, mayRead, mayReadPath, summaryKey } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { ownRows } from '#schema/form/own-rows.ts'
import { isObject } from '#schema/is-object.ts'
import { readableFields } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { ownValue } from './form-values.ts'
import type { Row } from './resource-rules.ts'

/** True when a role may filter, sort and search by a path. */
export const readablePath =
  (resource: AnyResource, role: Role): ((path: string) => boolean) =>
  (path) =>
    mayReadPath(resource, role, path)

/** Fields of list rows: readable for the role, without those of the single record only. */
export const rowFields = (resource: AnyResource, role: Role): Fields =>
  Object.fromEntries(Object.entries(readableFields(resource, role)).filter(([, field]) => !field.detailOnly))

/** Keys of a group's part in an answer: a reference also has its embedded summary. */
const keysOf = (key: string, part: Field): string[][] => (isReference(part) ? [[key], [summaryKey(key)]] : [[key]])

/** Parts of a group that a role may not read, as paths below the group. */
export function hiddenParts(field: Field, role: Role): string[][] {
  if (field.type !== 'group') return []
  return Object.entries(field.fields).flatMap(([key, part]) =>
    isUnanswered(part) || !mayRead(part, role) ? keysOf(key, part) : hiddenParts(part, role).map((rest) => [key, ...rest]),
  )
}

/** Key in a whole record of the value that its caller is shown; no field can have this name. */
export const seenKey = (name: string): string => `${name} seen`

/** The value that the caller of a whole record is shown: without the ids that `unseen` hides. */
export const seenIn = (record: Row, name: string): unknown =>
  record[Object.hasOwn(record, seenKey(name)) ? seenKey(name) : name] ?? null

type Edited = { sent: unknown; seen: unknown; stored: unknown }

const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const partsOf = (value: unknown): Row => (isObject(value) ? value : {})

const sameParts = (fields: Fields, one: unknown, other: unknown) =>
  Object.keys(fields).every((key) => isDeepStrictEqual(partsOf(one)[key] ?? null, partsOf(other)[key] ?? null))

const partsWithUnseen = (fields: Fields, { sent, seen, stored }: Edited): Row =>
  Object.fromEntries(
    Object.entries(partsOf(sent)).map(([key, value]) => {
      const field = fields[key]
      const edited = { sent: value, seen: partsOf(seen)[key] ?? null, stored: partsOf(stored)[key] ?? null }
      return [key, field ? valueWithUnseen(field, edited) : value]
    }),
  )

const isNothing = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

/** An emptied group keeps what its caller is not shown; null when that is nothing. */
function emptiedGroup(fields: Fields, edited: Edited): Row | null {
  const sent = Object.fromEntries(Object.keys(fields).map((key) => [key, null]))
  const left = partsWithUnseen(fields, { ...edited, sent })
  return Object.values(left).every(isNothing) ? null : left
}

/** Pairs each row with the stored one shown alike, or in the same place while their number is equal. */
function rowsWithUnseen(fields: Fields, { sent, seen, stored }: Edited): Row[] {
  const [rows, shown, own] = [itemsOf(sent), itemsOf(seen), itemsOf(stored)]
  return rows.map((row, index) => {
    const alike = sameParts(fields, row, shown[index]) ? index : shown.findIndex((other) => sameParts(fields, row, other))
    const place = alike < 0 && rows.length === own.length ? index : alike
    return partsWithUnseen(fields, { sent: row, seen: shown[place], stored: own[place] })
  })
}

function valueWithUnseen(field: Field, edited: Edited): unknown {
  const { sent, seen, stored } = edited
  if (isDeepStrictEqual(sent ?? null, ownRows(field, ownValue(field, seen)))) return ownValue(field, stored)
  if (field.type === 'references') {
    const shown = new Set(itemsOf(seen))
    return [...new Set([...itemsOf(sent), ...itemsOf(stored).filter((id) => !shown.has(id))])]
  }
  if (field.type === 'group') return isObject(sent) ? partsWithUnseen(field.fields, edited) : emptiedGroup(field.fields, edited)
  return field.type === 'list' && Array.isArray(sent) ? rowsWithUnseen(field.fields, edited) : sent
}

/** Values to store: ids that the caller is not shown stay, since a form sends back what it was shown. */
export const withUnseen = (fields: Fields, values: Row, current: Row): Row =>
  Object.fromEntries(
    Object.entries(values).map(([name, sent]) => {
      const field = fields[name]
      const isHiding = field && Object.hasOwn(current, seenKey(name))
      return [name, isHiding ? valueWithUnseen(field, { sent, seen: current[seenKey(name)], stored: current[name] }) : sent]
    }),
  )
