import { choiceLabel, choicesOf, hasChoices } from '#schema/facts/choices.ts'
import { yesNo } from '#schema/facts/yes-no.ts'
import { type Field, type FieldType, traitsOf } from '#schema/field-types.ts'
import { plainNumber } from '#schema/format/exact.ts'
import { formatMessage } from '#schema/format/message.ts'
import { runsText } from '#schema/format/runs.ts'
import { units } from '#schema/format/units.ts'
import { isObject } from '#schema/is-object.ts'
import { valueAt } from '#schema/rule.ts'
import { intlOf, type Label, type Language, say } from '#schema/words.ts'
import { plainText } from './csv.ts'

type Words = { language: Language; summary: string | undefined }
type Cell = (value: unknown, field: Field, words: Words) => string

const text: Cell = (value) => plainText(typeof value === 'string' ? value : JSON.stringify(value))
/** Numbers are written as numbers, negative ones too. */
const number: Cell = (value, field, words) => (typeof value === 'number' ? plainNumber(value) : text(value, field, words))
const moment: Cell = (value) =>
  plainText(
    String(value)
      .replace('T', ' ')
      .replace(/(?:\.000)?Z$/, ''),
  )
const choice: Cell = (value, field, { language }) =>
  plainText(hasChoices(field) ? say(choiceLabel(field, String(value)), language) : String(value))
const boolean: Cell = (value, _field, { language }) => say(yesNo(value === true), language)
const list: Cell = (value, field, words) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? plainText(value.join('; '))
    : text(value, field, words)
const tags: Cell = (value, field, words) => {
  if (field.type !== 'tags' || !field.runs || !field.options || !Array.isArray(value)) return list(value, field, words)
  const choices = { type: 'enum', label: field.label, options: field.options } as const
  return plainText(runsText(choicesOf(choices), value.map(String), (tag) => say(choiceLabel(choices, tag), words.language)))
}
/** One line, as on screen. */
const group: Cell = (value, field, words) => {
  if (field.type !== 'group' || !field.line) return text(value, field, words)
  const parts = Object.entries(field.fields).map(([name, part]) => [name, cellOf(valueAt(value, name), part, words)])
  return plainText(formatMessage(field.line, Object.fromEntries(parts), intlOf(words.language)))
}
const reference: Cell = (value, field, words) => plainText(words.summary ?? text(value, field, words))
const references: Cell = (value, field, words) =>
  words.summary === undefined ? list(value, field, words) : plainText(words.summary)
const nameOf = (value: unknown) => (isObject(value) && typeof value.name === 'string' ? value.name : undefined)
/** File names: bytes do not fit into a cell. */
const file: Cell = (value, field, words) => {
  const names = (Array.isArray(value) ? value : [value]).map(nameOf)
  return names.includes(undefined) ? text(value, field, words) : plainText(names.join('; '))
}

const cells: Record<ReturnType<typeof traitsOf>['cell'], Cell> = {
  text,
  number,
  duration: number,
  boolean,
  choice,
  date: text,
  moment,
  reference,
  references,
  tags,
  group,
  file,
  none: () => '',
}

/** A value as a CSV cell; empty for null. */
export const cellOf = (value: unknown, field: Field, words: Words): string =>
  value === null || value === undefined ? '' : cells[traitsOf(field).cell](value, field, words)

const unitOf = (field: Field): Label | undefined => {
  if (field.type === 'quantity') return units[field.unit].symbol
  if (field.type === 'money') return field.currency && [field.currency, field.currency]
  const fixed: Partial<Record<FieldType, Label>> = {
    percent: ['%', '%'],
    bytes: ['B', 'Б'],
    duration: ['s', 'с'],
    dateTime: ['UTC', 'UTC'],
  }
  return fixed[field.type]
}

/** Column header: the label, and the unit of the values. */
export function columnHeader(field: Field, language: Language): string {
  const unit = unitOf(field)
  return plainText(unit ? `${say(field.label, language)}, ${say(unit, language)}` : say(field.label, language))
}
