import { allFields } from '#schema/definition.ts'
import { choiceLabel, choicesOf } from '#schema/facts/choices.ts'
import { fieldIn, labelAt } from '#schema/facts/label-at.ts'
import { type Fault, faultText, isOfValue } from '#schema/faults.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { composed, type Label, type Language, say } from '#schema/words.ts'
import { labelFault, type ShownFault } from '#server/base/problems.ts'

/** Choices of a field by label and key, as forms and files accept them: `Good (GOOD), Worn (WORN)`; only those that the fault names. */
function choiceWords(field: Field | undefined, language: Language, open: unknown): string | undefined {
  const choice = field?.type === 'tags' && field.options ? ({ ...field, type: 'enum', options: field.options } as const) : field
  if (choice?.type !== 'enum' && choice?.type !== 'status') return undefined
  const named = new Set(String(open ?? '').split(', '))
  const fitting = choicesOf(choice).filter((key) => named.has(key))
  const words = (fitting.length > 0 ? fitting : choicesOf(choice)).map((key) => {
    const word = say(choiceLabel(choice, key), language)
    return word === key ? key : `${word} (${key})`
  })
  return words.join(', ')
}

/** Labels of the fields to fill first; undefined when one is unknown. */
function parentWords({ params }: Fault, fields: Fields, language: Language): string | undefined {
  const labels = String(params?.parents ?? '')
    .split(' ')
    .map((path) => labelAt(fields, path))
  return labels.every((label) => label !== undefined) ? labels.map((label) => say(label, language)).join(', ') : undefined
}

const plainUnfit: Label = [
  'A field is made of this, and takes no such value',
  'Из этого составляется поле, и такое значение ему не подходит',
]
const namedUnfit: Label = [
  'A field is made of this, and the result does not fit. {field}: {reason}',
  'Из этого составляется поле, и результат не подходит. {field}: {reason}',
]

/** Text of a default that does not fit, at the value that it is made of. Without `field` the caller may not read the field. */
function unfitText({ params: { field, why, ...params } = {} }: Fault, fields: Fields): Label {
  const path = String(field)
  const label = field === undefined ? undefined : labelAt(fields, path)
  if (!label) return plainUnfit
  const fault = { path, code: String(why), params }
  const { text } = withWords(fault, fields)
  return composed((language) =>
    say(namedUnfit, language, {
      field: say(label, language),
      reason: text ? say(text, language) : faultText(fault, language),
    }),
  )
}

const notHere: Label = ['This cannot be changed here', 'Здесь это изменить нельзя']
const notOnCreate: Label = ['This cannot be set on a new record', 'При создании это задать нельзя']

type Named = {
  /** Code of the message with placeholders, and the values for them. */
  code: string
  param: string
  words: (fault: Fault, fields: Fields, language: Language) => string | undefined
}

/** Faults whose message improves with the definition: the choices, the parent fields, the format in words. */
const named: Readonly<Record<string, Named>> = {
  'not-a-choice': {
    code: 'not-a-choice',
    param: 'choices',
    words: ({ path, params }, fields, language) => choiceWords(fieldIn(fields, path), language, params?.choices),
  },
  'parent-first': { code: 'named-parent-first', param: 'parents', words: parentWords },
  'bad-pattern': {
    code: 'helped-pattern',
    param: 'help',
    words: ({ path }, fields, language) => {
      const help = fieldIn(fields, path)?.help
      return help && say(help, language)
    },
  },
}

/** A fault with the texts of its definition. */
function withWords(fault: Fault, fields: Fields): ShownFault {
  if (fault.code === 'unfit-default') return { ...fault, text: unfitText(fault, fields) }
  // The label goes before the text, so that the text need not name the field.
  if (fault.code === 'read-only' && labelAt(fields, fault.path))
    return { ...fault, text: fault.params?.verb === 'create' ? notOnCreate : notHere }
  const field = fieldIn(fields, fault.path)
  if (field && isOfValue(fault)) return { ...fault, text: composed((language) => faultText(fault, language, field)) }
  const naming = named[fault.code]
  if (naming?.words(fault, fields, 'en') === undefined) return fault
  const { code, param, words } = naming
  const text = composed((language) =>
    faultText({ ...fault, code, params: { [param]: words(fault, fields, language) ?? '' } }, language),
  )
  return { ...fault, text }
}

export const showFaults = (faults: readonly Fault[], fields: Fields): ShownFault[] =>
  faults.map((fault) => labelFault(withWords(fault, fields), (path) => labelAt(fields, path)))

/** Faults of a definition's rules with their own messages. */
export const showRuleFaults = (faults: readonly (Fault & { rule?: number })[], resource: AnyResource): ShownFault[] =>
  showFaults(faults, allFields(resource)).map((fault, index) => {
    const text = resource.rules?.[faults[index]?.rule ?? -1]?.message
    return text ? { ...fault, text } : fault
  })
