import { choicesIn } from '#schema/facts/choices.ts'
import { type Field, traits, traitsOf } from '#schema/field-types.ts'
import { isDate, isTime } from '#schema/format/time-text.ts'
import { type Report, withArticle } from './report/report.ts'

/** Comparison kind: values of one kind are comparable. */
export type Kind = 'text' | 'number' | 'boolean' | 'time' | 'none'

const kinds = {
  text: 'text',
  choice: 'text',
  reference: 'text',
  number: 'number',
  boolean: 'boolean',
  time: 'time',
  references: 'none',
  tags: 'none',
  none: 'none',
} as const satisfies Record<ReturnType<typeof traitsOf>['compare'], Kind>

/** An unknown type has no kind; it is reported elsewhere. */
export const valueKindOf = (field: Field): Kind => (Object.hasOwn(traits, field.type) ? kinds[traitsOf(field).compare] : 'none')

/** The field as a single-value field: a filter or a rule compares one item of a multi-value field. */
export const asOne = (field: Field): Field => (field.type === 'tags' || field.type === 'references' ? oneOf(field) : field)
const oneOf = (field: Field): Field =>
  field.type === 'tags' && field.options
    ? { type: 'enum', label: field.label, options: field.options }
    : { type: 'text', label: field.label }

const words: Record<Kind, string> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  time: 'a time',
  none: 'no single value',
}
export const kindWords = (field: Field): string => words[valueKindOf(field)]

const fits: Record<Kind, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  time: (value) => typeof value === 'string' && (isDate(value) || isTime(value)),
  none: () => false,
}

/** Checks a constant that is compared with or written to a field: its kind, and membership in the choices. */
export function checkConstant(report: Report, path: string, field: Field, value: unknown): void {
  if (value === null) return
  if (!fits[valueKindOf(field)](value)) {
    const like = valueKindOf(field) === 'time' ? ', like "2026-01-31" or "$now"' : ''
    return report(
      'wrong-kind',
      path,
      `${withArticle(field.type)} takes ${kindWords(field)}${like}, and not ${JSON.stringify(value)}`,
    )
  }
  const among = choicesIn(field)
  if (among && !among.includes(String(value)))
    report(
      field.type === 'status' ? 'unknown-state' : 'unknown-option',
      path,
      `there is no ${field.type === 'status' ? 'state' : 'option'} "${String(value)}"`,
      {
        word: String(value),
        among,
      },
    )
}

/** True when values of both fields may be compared, or one be written over the other. */
export const areAlike = (one: Field, other: Field): boolean =>
  valueKindOf(one) === valueKindOf(other) && valueKindOf(one) !== 'none'

/** Kinds of the templates with a single value. */
const templateKinds: Readonly<Record<string, Kind>> = { $now: 'time', $today: 'time', '$user.id': 'text', '$user.role': 'text' }

/** Checks a template against the field that it is compared with or written to. `other`: the field that it names, if any. */
export function checkTemplate(report: Report, path: string, field: Field, value: string, other: Field | undefined): void {
  const kind = other ? valueKindOf(other) : templateKinds[value]
  const isSame = other?.type === field.type
  if (kind !== undefined && !isSame && (kind !== valueKindOf(field) || kind === 'none'))
    report('wrong-kind', path, `${withArticle(field.type)} takes ${kindWords(field)}; "${value}" is ${words[kind]}`)
}
