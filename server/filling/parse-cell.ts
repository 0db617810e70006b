import { choiceLabel, choicesOf, hasChoices } from '#schema/facts/choices.ts'
import { type Field, traitsOf } from '#schema/field-types.ts'
import { readDuration } from '#schema/format/read-duration.ts'

/** Exports prefix formulas with a quote, which is not part of the text. */
const escaped = /^'(?=[=+\-@\t\r\n＝＋－＠])/

type Parse = (text: string, field: Field, decimalComma: boolean) => unknown

const asText: Parse = (text) => text

const asNumber: Parse = (text, _field, decimalComma) => {
  const bare = text.replace(/[\s\u00A0\u202F]/g, '').replace('−', '-')
  const figure = decimalComma ? bare.replace(',', '.') : bare
  return /^-?\d{1,15}(\.\d{1,9})?$/.test(figure) ? Number(figure) : text
}

/** As in forms: seconds, or `1 h 30 min`; a figure may be grouped, as in exports. */
const asDuration: Parse = (text, field, decimalComma) => readDuration(text) ?? asNumber(text, field, decimalComma)

const yes = new Set(['true', 'yes', '1', 'да'])
const no = new Set(['false', 'no', '0', 'нет'])
const asBoolean: Parse = (text) => (yes.has(text.toLowerCase()) ? true : no.has(text.toLowerCase()) ? false : text)

/** A choice by key, or by label in any inline language. */
const asChoice: Parse = (text, field) => {
  if (!hasChoices(field)) return text
  const wanted = text.toLowerCase()
  const named = choicesOf(field).find((choice) =>
    [choice, ...choiceLabel(field, choice)].some((word) => word.toLowerCase() === wanted),
  )
  return named ?? text
}

const dayFirst = /^(\d{2})\.(\d{2})\.(\d{4})/
const asDate: Parse = (text) => text.replace(dayFirst, '$3-$2-$1')
/** In the format of exports, in UTC, or in ISO format. */
const asMoment: Parse = (text) =>
  text.replace(dayFirst, '$3-$2-$1').replace(/^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)$/, '$1T$2Z')

const asTags: Parse = (text) =>
  text
    .split(/[;|]/)
    .map((tag) => tag.trim())
    .filter(Boolean)

const parsers: Partial<Record<ReturnType<typeof traitsOf>['cell'], Parse>> = {
  number: asNumber,
  duration: asDuration,
  boolean: asBoolean,
  choice: asChoice,
  date: asDate,
  moment: asMoment,
  tags: asTags,
  references: asTags,
}

/** Value of a cell; undefined when empty. Unparsable text stays text, and the field's schema rejects it. */
export function parseCell(cell: string, field: Field, decimalComma: boolean): unknown {
  const text = cell.replace(escaped, '').trim()
  return text === '' ? undefined : (parsers[traitsOf(field).cell] ?? asText)(text, field, decimalComma)
}
