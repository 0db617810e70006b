import { PendingUpload } from '#fields/file/pending-upload.ts'
import type { Fields } from '#schema/field-types.ts'
import type { Form, Values } from '#views/form/form-values.ts'
import type { Draft } from './draft-store.ts'

/** Changed values of a draft, without secrets and pending uploads. Undefined when none is left. */
export function keptValues(form: Form, changed: readonly string[], fields: Fields): Omit<Draft, 'atMs'> | undefined {
  const isUnsent = (value: unknown) => value instanceof File || value instanceof PendingUpload
  const names = changed.filter((name) => fields[name]?.type !== 'secret' && !isUnsent(form.values[name]))
  if (names.length === 0) return undefined
  const pick = (from: Values) => Object.fromEntries(names.map((name) => [name, from[name]]))
  return { values: pick(form.values), base: pick(form.base), version: form.version }
}
