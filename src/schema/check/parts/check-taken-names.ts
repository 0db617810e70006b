import type { Report } from '#schema/check/report/report.ts'
import { isSetKey, summaryKey } from '#schema/definition.ts'
import { isObject } from '#schema/is-object.ts'

type Place = { name: string; fields: Readonly<Record<string, unknown>>; isItem: boolean }

/** Names that a field takes beside its own: of a reference's embedded summary, and of whether a secret is set. */
export function checkTakenNames(report: Report, path: string, { name, fields, isItem }: Place): void {
  const field = fields[name]
  if (!isObject(field)) return
  const refuse = (what: string, key: string) =>
    Object.hasOwn(fields, key) &&
    report('name-taken', `${path}.${name}`, `${what} travels as "${key}", which is another field; call one of them otherwise`)
  if (String(field.type).startsWith('reference') && !isItem) refuse('the record that it points to', summaryKey(name))
  if (field.type === 'secret') refuse('whether it is set', isSetKey(name))
}
