import { allFields } from '#schema/definition.ts'
import { type Fault, faultText } from '#schema/faults.ts'
import { choiceLabel, choicesOf, type Field, type Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { composed, type Label, type Language, say } from '#schema/words.ts'
import type { ShownFault } from '#server/base/problems.ts'

const joined = (left: Label, right: Label): Label => composed((language) => `${say(left, language)} / ${say(right, language)}`)

/** Readable location of a fault: `Location / Time zone`, `Schedule 2 / From`. Undefined for an unknown path. */
function labelAt(fields: Fields, path: string): Label | undefined {
  const [name = '', ...rest] = path.split('.')
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) return undefined
  const isItem = /^\d+$/.test(rest[0] ?? '')
  const number = isItem ? ` ${Number(rest[0]) + 1}` : ''
  const own = composed((language) => `${say(field.label, language)}${number}`)
  const below = isItem ? rest.slice(1) : rest
  if (below.length === 0 || !('fields' in field)) return own
  const inner = labelAt(field.fields, below.join('.'))
  return inner ? joined(own, inner) : own
}

/** The field at the path of a fault, whose numbers are places in a list. */
function fieldFor(fields: Fields, path: string): Field | undefined {
  const [name = '', ...rest] = path.split('.').filter((step) => !/^\d+$/.test(step))
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return field && rest.length > 0 ? ('fields' in field ? fieldFor(field.fields, rest.join('.')) : undefined) : field
}

/** The choices of a field by word and key, as forms and files take them: `Good (GOOD), Worn (WORN)`. */
function choiceWords(field: Field | undefined, language: Language): string | undefined {
  const choice = field?.type === 'tags' && field.options ? ({ ...field, type: 'enum', options: field.options } as const) : field
  if (choice?.type !== 'enum' && choice?.type !== 'status') return undefined
  const words = choicesOf(choice).map((key) => {
    const word = say(choiceLabel(choice, key), language)
    return word === key ? key : `${word} (${key})`
  })
  return words.join(', ')
}

/** A wrong choice with the words of the right ones. */
function withChoices(fault: Fault, field: Field | undefined): ShownFault {
  if (fault.code !== 'not-a-choice' || choiceWords(field, 'en') === undefined) return fault
  const text = composed((language) =>
    faultText({ ...fault, params: { choices: choiceWords(field, language) ?? '' } }, language),
  )
  return { ...fault, text }
}

export const showFaults = (faults: readonly Fault[], fields: Fields): ShownFault[] =>
  faults.map((fault) => {
    const label = fault.code === 'unknown-key' ? undefined : labelAt(fields, fault.path)
    const shown = withChoices(fault, fieldFor(fields, fault.path))
    return label ? { ...shown, label } : shown
  })

/** Faults of a definition's rules with the definition's own sentences. */
export const showRuleFaults = (faults: readonly (Fault & { rule?: number })[], resource: AnyResource): ShownFault[] =>
  showFaults(faults, allFields(resource)).map((fault, index) => {
    const text = resource.rules?.[faults[index]?.rule ?? -1]?.message
    return text ? { ...fault, text } : fault
  })
