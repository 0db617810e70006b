import type { AnyResource } from '#schema/resource.ts'
import type { Change } from '#server/db/events/add-events.ts'
import { belongsTo, type Catalog, familyOf } from './catalog.ts'
import { presentRecord } from './presenter.ts'
import type { Row, Work } from './resource-rules.ts'
import { rowAccessOf } from './row-access.ts'
import { ruleContext } from './work.ts'

type Asked = { record: Row; used: readonly AnyResource[] }

/** The record with the fields readable for the caller; without read access, by the definition that allowed the change. */
export function answerRecord(catalog: Catalog, { record, used }: Asked, { caller, now }: Pick<Work, 'caller' | 'now'>): Row {
  const [first] = used
  const family = first ? familyOf(catalog, first) : []
  const seen = rowAccessOf(catalog, { resources: family, verb: 'show', record, context: ruleContext(caller, now) })
  const shown = [...seen.resources, ...seen.own]
  return presentRecord(catalog, record, shown.length > 0 ? shown : used, caller)
}

/** Announces a change under every definition that the row belongs to. */
export function announceChange(
  catalog: Catalog,
  { resource, record, type }: { resource: AnyResource; record: Row; type: Change['type'] },
  work: Pick<Work, 'changed'>,
): void {
  for (const { name } of familyOf(catalog, resource).filter((member) => belongsTo(member, record))) {
    work.changed({ resource: name, id: String(record.id), version: Number(record.version), type })
  }
}
