import { entriesOf, type Report } from '#schema/check/report/report.ts'
import { isObject } from '#schema/is-object.ts'

/** Lists inside of a list, also in a group of its rows. */
export function checkNestedLists(report: Report, path: string, { fields }: Readonly<Record<string, unknown>>): void {
  for (const [name, field] of entriesOf(fields)) {
    if (!isObject(field)) continue
    const at = `${path}.fields.${name}`
    if (field.type === 'list')
      report(
        'nested-list',
        at,
        'the rows of a list hold no list; make the outer rows a resource of their own that refers to this one, or take tags',
      )
    if (field.type === 'group') checkNestedLists(report, at, field)
  }
}
