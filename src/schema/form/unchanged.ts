import type { Action } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'

/** Fields of a form that choose what the record has already, where none of them chooses anything else. */
export function unchangedFields({ changes = {} }: Action, record: unknown, values: unknown): string[] {
  const differs = ([name, path]: [string, string]) => (valueAt(values, name) ?? null) !== (valueAt(record, path) ?? null)
  return Object.entries(changes).some(differs) ? [] : Object.keys(changes)
}
