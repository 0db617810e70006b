import type { Row } from '#fields/field-kind.ts'
import { summaryKey, summaryOf, titleOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'

/** Path of a reference's summary, beside it: `maintenance.byId` → `maintenance.by`. */
export function summaryPath(path: string): string {
  const dot = path.lastIndexOf('.') + 1
  return `${path.slice(0, dot)}${summaryKey(path.slice(dot))}`
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Title of a record: its title field, else the first text of its summary, else its id. */
export function recordTitle(resource: AnyResource | undefined, record: unknown): string | undefined {
  const names = resource ? [titleOf(resource), ...summaryOf(resource)] : []
  return [...names, 'id'].map((name) => text(valueAt(record, name))).find(Boolean)
}

/** The name of what a reference points to, falling back to the id. */
export function referenceTitle(target: AnyResource | undefined, row: Row, path: string, id: unknown): string {
  const summary = valueAt(row, summaryPath(path))
  const belongs = valueAt(summary, 'id') === undefined || valueAt(summary, 'id') === id
  return (belongs ? recordTitle(target, summary) : undefined) ?? String(id)
}
