import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type Queryable, rowOf } from '#server/db/query.ts'
import type { IngestedBatch } from '#server/fleet/ingest/ingest-frames.ts'
import type { OpenWarning, WarningMemory } from './evaluate.ts'
import type { Limit } from './limits.ts'
import { type PlantRow, plantColumns, plantModel } from './plant-facts.ts'

export type KnownBoard = PlantRow & {
  memory: WarningMemory | null
  open: (OpenWarning & { lastSeenAt: string })[] | null
  maintained: boolean
  reportIntervalS: number | null
  socMinPct: number | null
  overrides: unknown
  limits: Record<string, Limit> | null
}

/** Everything that the rules need to know of a board, in one statement: this runs for each packet. */
export const knownOf = (db: Queryable, { board, receivedAt }: IngestedBatch): Promise<KnownBoard | undefined> =>
  rowOf(
    db,
    sql<KnownBoard>`select (select "memory" from "warningMemory" where "controlPcbId" = ${board.controlPcbId}) as "memory",
      (select json_agg(json_build_object('code', "w"."code", 'severity', "w"."severity", 'latched', "w"."latched",
          'subject', "w"."subject", 'lastSeenAt', "w"."lastSeenAt"))
        from "telemetry_warning" "w" where "w"."controlPcbId" = ${board.controlPcbId} and "w"."active") as "open",
      coalesce(("e"."maintenance"->>'until')::timestamptz > ${receivedAt}, false) as "maintained", ${plantColumns},
      (select "reportIntervalS" from "boardState" where "controlPcbId" = ${board.controlPcbId}) as "reportIntervalS",
      ("c"."desired"->>'socMinPct')::float8 as "socMinPct", "c"."desired"->'warningOverrides' as "overrides",
      (select json_object_agg("key", json_build_object('delayS', "delayS", 'levels', "levels")) from "warningThreshold") as "limits"
      from (select 1) "one" left join "ess" "e" on "e"."id" = ${board.essId} ${plantModel} left join lateral (select "desired" from "configuration" where "controlPcbId" = ${board.controlPcbId}
        order by "version" desc limit 1) "c" on true`,
  )

export async function writeMemory(
  db: Queryable,
  controlPcbId: string,
  before: WarningMemory | null,
  after: WarningMemory,
): Promise<void> {
  if (isDeepStrictEqual(before ?? {}, after)) return
  await sql`insert into "warningMemory" ("controlPcbId", "memory") values (${controlPcbId}, ${JSON.stringify(after)}::jsonb)
    on conflict ("controlPcbId") do update set "memory" = excluded."memory"`.execute(db)
}
