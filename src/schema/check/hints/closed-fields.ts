import type { Report } from '#schema/check/report/report.ts'
import { mayReadPath, rolesFor } from '#schema/definition.ts'
import { splitKey } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { fieldsOfRule } from '#schema/rule.ts'

/** Roles that may list records but not read the field of a filter. */
export const closedTo = (resource: AnyResource, filter: string): string[] =>
  rolesFor(resource, 'list').filter((role) => !mayReadPath(resource, role, splitKey(filter).field))

/** Saved views that some readers of the list do not get. */
export function remindOfClosedViews(report: Report, resource: AnyResource): void {
  for (const [name, { filters, roles }] of Object.entries(resource.list?.views ?? {}))
    for (const key of Object.keys(filters)) {
      const blind = closedTo(resource, key).filter((role) => roles?.some((one) => one === role) ?? true)
      if (blind.length > 0)
        report(
          'view-unseen',
          `${resource.name}.list.views.${name}.filters.${key}`,
          `${blind.join(', ')} may list but not read "${splitKey(key).field}", so this view is not offered to them; add the role to its access.read, or filter by another field`,
        )
    }
}

/** Tones of rows that some readers of the list do not see, since they do not read what the rule asks. */
export function remindOfClosedTones(report: Report, resource: AnyResource): void {
  for (const [tone, rule] of Object.entries(resource.list?.tone ?? {}))
    for (const path of new Set(fieldsOfRule(rule))) {
      const blind = rolesFor(resource, 'list').filter((role) => !mayReadPath(resource, role, path))
      if (blind.length > 0)
        report(
          'tone-unseen',
          `${resource.name}.list.tone.${tone}`,
          `${blind.join(', ')} may list but not read "${path}", so their rows have another tone; ask a field that all may read`,
        )
    }
}
