import { type RawBuilder, sql } from 'kysely'
import { rolesFor } from '#schema/definition.ts'
import type { SummaryUpdate, SummaryWarning } from '#schema/wire/summary.ts'
import type { Caller } from '#server/base/caller.ts'
import { isoTime } from '#server/db/iso-time.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Catalog } from '#server/engine/records/catalog.ts'
import { failedList } from '#server/fleet/firmware/update-state-machine.ts'
import { attentionScore } from '#server/fleet/shared/attention-sql.ts'

const mostWarnings = 10
const mostUpdates = 5

type Asking = { catalog: Catalog; caller: Caller; now: Date }

const mayList = ({ catalog, caller }: Asking, name: string): boolean => {
  const resource = catalog.definitions.get(name)
  return !!resource && rolesFor(resource, 'list').includes(caller.role)
}

const placeOf = (alias: string): RawBuilder<unknown> => {
  const [id, code] = [sql.ref(`${alias}.id`), sql.ref(`${alias}.code`)]
  return sql`case when ${id} is not null then json_build_object('id', ${id}, 'code', ${code}) end`
}

/** Open warnings by priority, without those during maintenance. */
export async function attention(db: Queryable, asking: Asking): Promise<SummaryWarning[]> {
  if (!mayList(asking, 'telemetry-warning')) return []
  return rowsOf(
    db,
    sql<SummaryWarning>`select "w"."id", "w"."code", "w"."severity", "w"."subject", "w"."acknowledged", ${isoTime(sql`"w"."raisedAt"`)} as "raisedAt",
        ${attentionScore(asking.now)} as "score", ${placeOf('e')} as "ess", ${placeOf('b')} as "board"
      from "telemetry_warning" "w" left join "ess" "e" on "e"."id" = "w"."essId" left join "control_pcb" "b" on "b"."id" = "w"."controlPcbId"
      where "w"."active" and not "w"."suppressed" order by "score" desc, "w"."raisedAt", "w"."id" limit ${mostWarnings}`,
  )
}

export async function failedUpdates(db: Queryable, asking: Asking): Promise<SummaryUpdate[]> {
  if (!mayList(asking, 'firmware-update')) return []
  return rowsOf(
    db,
    sql<SummaryUpdate>`select "u"."id", "u"."status", "u"."toVersion", "u"."failureCode", ${isoTime(sql`"u"."finishedAt"`)} as "finishedAt",
        ${placeOf('b')} as "board"
      from "firmware_update" "u" left join "control_pcb" "b" on "b"."id" = "u"."controlPcbId"
      where "u"."status" in ${failedList} order by "u"."finishedAt" desc nulls last, "u"."id" limit ${mostUpdates}`,
  )
}
