import type { Row } from '#fields/field-kind.ts'
import { summaryKey, summaryOf, titleOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'

/** Path of a reference's embedded summary: `maintenance.byId` → `maintenance.by`. */
export function summaryPath(path: string): string {
  const dot = path.lastIndexOf('.') + 1
  return `${path.slice(0, dot)}${summaryKey(path.slice(dot))}`
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const firstText = (record: unknown, names: readonly string[]): string | undefined =>
  [...names, 'id'].map((name) => text(valueAt(record, name))).find(Boolean)

/** Title of a record: its title field, else the first text of its summary, else its id. */
export const recordTitle = (resource: AnyResource | undefined, record: unknown): string | undefined =>
  firstText(record, resource ? [titleOf(resource), ...summaryOf(resource)] : [])

/** Name of a record in a reference to it: the first text of its summary, else its title, else its id. */
export const recordName = (resource: AnyResource | undefined, record: unknown): string | undefined =>
  firstText(record, resource ? [...summaryOf(resource), titleOf(resource)] : [])

/** The second text of the summary; it distinguishes records with the same name. */
export const recordHint = (resource: AnyResource | undefined, record: unknown, name: string): string | undefined =>
  (resource ? summaryOf(resource) : []).map((path) => text(valueAt(record, path))).find((each) => each && each !== name)

/** The name of what a reference points to, falling back to the id. */
export function referenceTitle(target: AnyResource | undefined, row: Row, path: string, id: unknown): string {
  const summary = valueAt(row, summaryPath(path))
  const belongs = valueAt(summary, 'id') === undefined || valueAt(summary, 'id') === id
  return (belongs ? recordName(target, summary) : undefined) ?? String(id)
}
