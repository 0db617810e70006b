import type { Field } from '#schema/field-types.ts'
import { type FileFacts, isAccepted, usualFileBytes } from '#schema/files.ts'
import { isAbsent } from '#schema/form/is-empty.ts'
import { fieldBefore } from '#schema/former-names.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueSchema } from '#schema/value-schema.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { type Counted, exampleText } from './tally.ts'

/** Rows that violate a narrower definition: they stay, and are rejected on their next save. */
export type Note = Counted<{ kind: string; resource: string; field: string; what: string }>

/** A bound of a field or part that is narrower than before. `keys`: path to its values. */
export type NoteCheck = {
  resource: AnyResource
  keys: readonly string[]
  kind: string
  what: string
  fits: (value: unknown) => boolean
  /** Test of the whole row, in place of its values. */
  breaks?: (row: Row, now: string) => boolean
  /** The subset whose records the values name. */
  target?: string
}

/** Kind of notes about references to records that leave a subset. */
export const subsetKind = 'subset'
/** Kind of notes about values that a condition hides. */
export const whenKind = 'when'
/** Kind of notes about secrets that a condition hides. */
export const whenSecretKind = 'when of a secret'

type Ending = readonly [one: string, many: string]
const untaken: Ending = ['it stays, and no other like it is taken', 'they stay, and no others like them are taken']

/** How long one value stays, or several; the others are refused when next saved. */
const stays: Readonly<Record<string, Ending>> = {
  [subsetKind]: ['it stays until a person chooses another one', 'they stay until a person chooses another one'],
  [whenKind]: [
    'it stays, and the console does not show it until the condition holds',
    'they stay, and the console does not show them until it holds',
  ],
  [whenSecretKind]: [
    'it stays until a PUT with null removes it, and is used again once the condition holds',
    'they stay until a PUT with null removes each, and are used again once it holds',
  ],
  accept: untaken,
  maxBytes: untaken,
}
const refused: Ending = ['it stays and is refused when next saved', 'they stay and are refused when next saved']

type Bound = {
  isTighter: (before: unknown, now: unknown) => boolean
  what: (bound: unknown) => string
  /** A bound that every value satisfies. */
  open?: unknown
  /** Test of a stored file, whose value has no schema for it. */
  takes?: (file: Row, facts: FileFacts) => boolean
}

const isLower: Bound['isTighter'] = (before, now) => before === undefined || Number(now) < Number(before)
const isHigher: Bound['isTighter'] = (before, now) => before === undefined || Number(now) > Number(before)
const endless = Number.POSITIVE_INFINITY

/** Bounding facts, in report order. */
const bounds: Readonly<Record<string, Bound>> = {
  minLength: { isTighter: isHigher, what: (bound) => `fewer than ${bound} characters` },
  maxLength: { isTighter: isLower, what: (bound) => `more than ${bound} characters`, open: endless },
  min: { isTighter: isHigher, what: (bound) => `less than ${bound}` },
  max: { isTighter: isLower, what: (bound) => `more than ${bound}` },
  digits: { isTighter: isLower, what: (bound) => `more than ${bound} digits behind the point`, open: 15 },
  pattern: { isTighter: (before, now) => before !== now, what: (bound) => `what does not match ${bound}`, open: '[^]*' },
  maxItems: { isTighter: isLower, what: (bound) => `more than ${bound} of them`, open: endless },
  accept: {
    isTighter: (before, now) => before !== now,
    what: (bound) => `a file that is none of ${bound}`,
    takes: ({ name }, { accept }) => isAccepted(accept, String(name)),
  },
  maxBytes: {
    isTighter: (before, now) => Number(now) < Number(before ?? usualFileBytes),
    what: (bound) => `a file of more than ${bound} bytes`,
    takes: ({ sizeBytes }, { maxBytes = usualFileBytes }) => Number(sizeBytes) <= maxBytes,
  },
}

const open = Object.fromEntries(Object.entries(bounds).map(([fact, bound]) => [fact, bound.open]))

/** The field with a single bound and without parts, which have their own checks. */
const boundBy = (field: Field, fact: string, bound: unknown): Field =>
  ('fields' in field ? { ...field, type: 'json' } : { ...field, ...open, [fact]: bound }) as Field

/** The field without bounds: it takes every value of its type and choices. */
export const unbounded = (field: Field): Field => ({ ...field, ...open }) as Field

function ownChecks(resource: AnyResource, keys: readonly string[], before: Field, now: Field): NoteCheck[] {
  const [had, has] = [new Map<string, unknown>(Object.entries(before)), new Map<string, unknown>(Object.entries(now))]
  return Object.entries(bounds).flatMap(([kind, { isTighter, what, takes }]): NoteCheck[] => {
    const bound = has.get(kind)
    if (bound === undefined || !isTighter(had.get(kind), bound)) return []
    const about = { resource, keys, kind, what: `hold ${what(bound)}` }
    if (takes)
      return [{ ...about, fits: (value) => [value].flat().every((file) => !isObject(file) || takes(file, { [kind]: bound })) }]
    const schema = valueSchema(boundBy(now, kind, bound))
    const isShort = (value: unknown) => kind !== 'maxItems' || !Array.isArray(value) || value.length <= Number(bound)
    const fits = (value: unknown) => isAbsent(value) || (isShort(value) && schema.safeParse(value).success)
    return [{ ...about, fits }]
  })
}

/** Bounds of a field and its parts that are narrower than before. */
export function noteChecks(resource: AnyResource, keys: readonly string[], before: Field, now: Field): NoteCheck[] {
  if (before.type !== now.type) return []
  const own = ownChecks(resource, keys, before, now)
  if (!('fields' in now) || !('fields' in before)) return own
  const parts = Object.entries(now.fields).flatMap(([name, part]) => {
    const was = fieldBefore(before.fields, name, part)
    return was && !part.derived ? noteChecks(resource, [...keys, name], was, part) : []
  })
  return [...own, ...parts]
}

/** Values at the end of a path; a list has several. */
export function valuesAt(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (key === undefined) return [value]
  const items = Array.isArray(value) ? value : [value]
  return items.flatMap((item) => (isObject(item) ? valuesAt(item[key], rest) : []))
}

/** `1 row holds`, `12 rows hold`. */
const rowsText = ({ rows, what }: Note) =>
  rows === 1 ? `1 row ${what.replace(/^\w+/, (verb) => (verb === 'have' ? 'has' : `${verb}s`))}` : `${rows} rows ${what}`

/** `visit.name: 12 rows hold more than 40 characters; they stay and are refused when next saved`, with its examples. */
export const noteText = (note: Note): string =>
  [
    `  ${note.resource}.${note.field}: ${rowsText(note)}; ${(stays[note.kind] ?? refused)[note.rows === 1 ? 0 : 1]}`,
    `    ${note.examples.map(exampleText).join('; ')}`,
  ].join('\n')
