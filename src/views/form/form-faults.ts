import { PendingUpload } from '#fields/file/pending-upload.ts'
import { inputWords } from '#fields/input-words.ts'
import { InvalidJson } from '#fields/structure/invalid-json.ts'
import { fieldIn } from '#schema/facts/label-at.ts'
import { type Fault, faultText } from '#schema/faults.ts'
import type { Field, Fields, FieldType } from '#schema/field-types.ts'
import { formatBytes } from '#schema/format/format.ts'
import { units } from '#schema/format/units.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Label, type Language, say } from '#schema/words.ts'
import type { Problem } from '#views/shared/problem.ts'
import type { Values } from './form-values.ts'

export type FormFault = { path: string; message: string }
export type Messages = Readonly<Record<string, string>>

type RuleFault = Fault & { rule?: number }

/** Texts for what is typed into an input, whose form stands beside it; those of the codes say how a value is written for a program. */
const typedTexts: Readonly<Partial<Record<FieldType, Readonly<Record<string, Label>>>>> = {
  date: { 'bad-date': inputWords.noDate },
  dateTime: { 'bad-time': inputWords.noTime },
  duration: { 'not-number': inputWords.noDuration },
  quantity: { 'not-number': inputWords.noQuantity },
}

const unitIn = (field: Field | undefined, language: Language) =>
  field?.type === 'quantity' ? { unit: say(units[field.unit].symbol, language) } : {}

/** The message of a fault: the rule's own, that of the input, else that of its code. */
export function formFaultOf(fault: RuleFault, fields: Fields, language: Language, rules: AnyResource['rules'] = []): FormFault {
  const own: Label | undefined = fault.rule === undefined ? undefined : rules[fault.rule]?.message
  const field = fieldIn(fields, fault.path)
  const text = own ?? (field && typedTexts[field.type]?.[fault.code])
  return { path: fault.path, message: text ? say(text, language, unitIn(field, language)) : faultText(fault, language, field) }
}

/** Server errors of a refused call: those of fields, else its message. */
export const serverErrorsOf = ({ errors, message }: Problem): FormFault[] => {
  const entries = Object.entries(errors).map(([path, text]) => ({ path, message: text }))
  return entries.length > 0 ? entries : [{ path: '', message }]
}

/** Faults outside of the schema: oversized or pending files, and invalid JSON. */
export function inputFaults(fields: Fields, values: Values, language: Language): FormFault[] {
  return Object.entries(fields).flatMap(([path, field]): FormFault[] => {
    const value = values[path]
    if (value instanceof PendingUpload) return [{ path, message: say(inputWords.fileUnsent, language) }]
    if (value instanceof InvalidJson) return [{ path, message: say(inputWords.badJson, language) }]
    if (!(value instanceof File) || field.type !== 'file' || field.maxBytes === undefined || value.size <= field.maxBytes)
      return []
    const max = formatBytes(field.maxBytes, language)
    return [{ path, message: say(inputWords.fileTooBig, language, { max }) }]
  })
}

/** The first message of each path. */
export const messagesOf = (faults: readonly FormFault[]): Messages =>
  Object.fromEntries([...faults].reverse().map(({ path, message }) => [path, message]))

/** True for the path of a field, and of its parts. */
export const belongs = (path: string, name: string) => path === name || path.startsWith(`${name}.`)

/** Sorted by the form's field order; faults without a field come last. */
export function inOrder(faults: readonly FormFault[], names: readonly string[]): FormFault[] {
  const place = ({ path }: FormFault) => {
    const index = names.findIndex((name) => belongs(path, name))
    return index < 0 ? names.length : index
  }
  return faults.toSorted((a, b) => place(a) - place(b))
}
