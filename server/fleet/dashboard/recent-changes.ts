import { rolesFor } from '#schema/definition.ts'
import type { Filter } from '#schema/list-query.ts'
import type { SummaryChange } from '#schema/wire/summary.ts'
import type { Caller } from '#server/base/caller.ts'
import type { Queryable } from '#server/db/query.ts'
import { type Catalog, sourceFor } from '#server/engine/records/catalog.ts'
import { readPage } from '#server/engine/records/reader.ts'
import { rowFields } from '#server/engine/records/visible-fields.ts'
import { ruleContext } from '#server/engine/records/work.ts'
import { selectionSql } from '#server/engine/sql/filter-and-order.ts'

const most = 10
/** Audited actions without changes. */
const noChanges = ['login', 'challenge', 'confirm', 'logout', 'export', 'list', 'read', 'test']
const filters: readonly Filter[] = [
  { field: 'result', op: 'eq', values: ['OK'] },
  { field: 'action', op: 'ne', values: noChanges },
]
const shown = new Set(['id', 'at', 'actorId', 'action', 'entityType', 'entityId', 'code'])

type Entry = Omit<SummaryChange, 'actor'> & { actor: { id: string; name: string | null; email: string } | null }

/** The last audited changes that a caller may read. */
export async function recentChanges(
  db: Queryable,
  { catalog, caller, now }: { catalog: Catalog; caller: Caller; now: Date },
): Promise<SummaryChange[]> {
  const resource = catalog.definitions.get('audit-log')
  if (!resource || !rolesFor(resource, 'list').includes(caller.role)) return []
  const source = sourceFor(catalog, resource, caller)
  const scope = resource.scope?.[caller.role]
  const rules = scope ? [scope] : []
  const where = selectionSql(source, { query: { filters }, rules, context: ruleContext(caller, now), readable: () => true })
  const fields = Object.fromEntries(Object.entries(rowFields(resource, caller.role)).filter(([name]) => shown.has(name)))
  const query = { filters: [], sort: [{ field: 'at', order: 'desc' as const }], start: 0, end: most }
  const rows: Entry[] = JSON.parse(await readPage(db, { source, fields, role: caller.role, where, query }))
  return rows.map(({ id, at, actor, action, entityType, entityId, code }) => ({
    id,
    at,
    actor: actor && { id: actor.id, name: actor.name ?? actor.email },
    action,
    entityType,
    entityId,
    code,
  }))
}
