import { choiceLabel, choicesOf, hasChoices } from '#schema/facts/choices.ts'
import { yesNo } from '#schema/facts/yes-no.ts'
import { type Field, traitsOf } from '#schema/field-types.ts'
import { readDuration } from '#schema/format/read-duration.ts'
import { textsOf } from '#schema/import-columns.ts'

/** Exports prefix formulas with a quote, which is not part of the text. */
const escaped = /^'(?=[=+\-@\t\r\n＝＋－＠])/

type Parse = (text: string, decimalComma: boolean) => unknown

const asText: Parse = (text) => text

const asNumber: Parse = (text, decimalComma) => {
  const bare = text.replace(/[\s\u00A0\u202F]/g, '').replace('−', '-')
  const figure = decimalComma ? bare.replace(',', '.') : bare
  return /^-?\d{1,15}(\.\d{1,9})?$/.test(figure) ? Number(figure) : text
}

/** As in forms: seconds, or `1 h 30 min`; a figure may be grouped, as in exports. */
const asDuration: Parse = (text, decimalComma) => readDuration(text) ?? asNumber(text, decimalComma)

type Word = readonly [word: string, value: unknown]

/** Reads a cell by its words; of two values with one word the former wins. */
function asWord(words: readonly Word[]): Parse {
  const values = new Map(words.toReversed().map(([word, value]) => [word.toLowerCase(), value]))
  return (text) => (values.has(text.toLowerCase()) ? values.get(text.toLowerCase()) : text)
}

const asBoolean = () =>
  asWord(
    [true, false].flatMap((value) =>
      [String(value), value ? '1' : '0', ...textsOf(yesNo(value))].map((word): Word => [word, value]),
    ),
  )

/** A choice by key, or by label in any language. */
function asChoice(field: Field): Parse {
  const keys = hasChoices(field) ? choicesOf(field) : []
  const labels = keys.flatMap((key) =>
    (hasChoices(field) ? textsOf(choiceLabel(field, key)) : []).map((word): Word => [word, key]),
  )
  return asWord([...keys.map((key): Word => [key, key]), ...labels])
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

const parsers: Partial<Record<ReturnType<typeof traitsOf>['cell'], (field: Field) => Parse>> = {
  number: () => asNumber,
  duration: () => asDuration,
  boolean: asBoolean,
  choice: asChoice,
  date: () => asDate,
  moment: () => asMoment,
  tags: () => asTags,
  references: () => asTags,
}

/**
 * Reads the cells of a column; an empty one is undefined. Unparsable text stays text, and the field's schema rejects it. Made once
 * for a column: its words stand in many languages.
 */
export function cellReader(field: Field, decimalComma: boolean): (cell: string) => unknown {
  const parse = parsers[traitsOf(field).cell]?.(field) ?? asText
  return (cell) => {
    const text = cell.replace(escaped, '').trim()
    return text === '' ? undefined : parse(text, decimalComma)
  }
}
