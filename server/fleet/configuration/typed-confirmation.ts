import type { Field, Fields } from '#schema/field-types.ts'
import { composed, type Label, type Language, say } from '#schema/words.ts'
import type { ShownFault } from '#server/base/problems.ts'

type Confirmation = {
  /** The input of the form. */
  input: Field | undefined
  /** The text to type. */
  code: unknown
  /** Names of the protective values that change. */
  dangers: readonly string[]
  fields: Fields
  wrong: Label
}

function reason({ dangers, fields }: Confirmation): Label {
  const names = (language: Language) => dangers.map((name) => say(fields[name]?.label ?? [name, name], language)).join(', ')
  return composed((language) =>
    say(
      [
        'Type it to confirm: a protective limit changes ({names})',
        'Введите для подтверждения: меняется защитный предел ({names})',
      ],
      language,
      { names: names(language) },
    ),
  )
}

/** Changes of protective values take a typed code: none is written by accident. The refusal names the values. */
export function confirmationFaults(given: unknown, confirmation: Confirmation): ShownFault[] {
  const { input, code, dangers, wrong } = confirmation
  if (dangers.length === 0 || (typeof given === 'string' && given.trim() === code)) return []
  const fault = { path: 'confirmCode', ...(input ? { label: input.label } : {}) }
  if (given === undefined || given === null) return [{ ...fault, code: 'required', text: reason(confirmation) }]
  return [{ ...fault, code: 'rule', text: wrong }]
}
