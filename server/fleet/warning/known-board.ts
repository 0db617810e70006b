import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { prepared } from '#server/db/prepared-statements.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { IngestedBatch } from '#server/fleet/ingest/ingest-frames.ts'
import type { SiteWarning } from './course/open-warnings.ts'
import type { WarningMemory } from './evaluate.ts'
import type { Limit } from './limits/limits.ts'
import { limitsInForce } from './limits/limits-sql.ts'
import { type PlantRow, plantColumns, plantModel } from './plant-facts.ts'

export type KnownBoard = PlantRow & {
  memory: WarningMemory | null
  open: (SiteWarning & { lastSeenAt: string })[] | null
  maintained: boolean
  reportIntervalS: number | null
  socMinPct: number | null
  overrides: unknown
  limits: Record<string, Limit> | null
}

/** All inputs of the rules for the boards of a transaction, in one statement. */
export async function knownBoards(db: Queryable, group: readonly IngestedBatch[]): Promise<ReadonlyMap<string, KnownBoard>> {
  const [ids, systems] = [group.map(({ board }) => board.controlPcbId), group.map(({ board }) => board.essId)]
  const rows = await rowsOf(
    db,
    sql<
      KnownBoard & { controlPcbId: string }
    >`${prepared} select "u"."id" as "controlPcbId", "wm"."memory", "s"."reportIntervalS",
      (select json_agg(json_build_object('code', "w"."code", 'severity', "w"."severity", 'latched', "w"."latched",
          'essId', "w"."essId", 'subject', "w"."subject", 'lastSeenAt', "w"."lastSeenAt", 'value', "w"."value"::float8))
        from "telemetry_warning" "w" where "w"."controlPcbId" = "u"."id" and "w"."active") as "open",
      coalesce(("e"."maintenance"->>'until')::timestamptz > ${group[0]?.receivedAt}, false) as "maintained", ${plantColumns},
      ("c"."desired"->>'socMinPct')::float8 as "socMinPct", "c"."desired"->'warningOverrides' as "overrides",
      ${limitsInForce} as "limits"
      from unnest(${sql.val(ids)}::text[], ${sql.val(systems)}::text[]) as "u" ("id", "essId")
      left join "ess" "e" on "e"."id" = "u"."essId" ${plantModel} left join "boardState" "s" on "s"."controlPcbId" = "u"."id"
      left join "warningMemory" "wm" on "wm"."controlPcbId" = "u"."id"
      left join lateral (select "desired" from "configuration" where "controlPcbId" = "u"."id" order by "version" desc limit 1) "c" on true`,
  )
  return new Map(rows.map((row) => [row.controlPcbId, row]))
}

export type Remembered = { controlPcbId: string; before: WarningMemory | null; after: WarningMemory }

/** Writes the memories that have changed. */
export async function writeMemories(db: Queryable, all: readonly Remembered[]): Promise<void> {
  const changed = all.filter(({ before, after }) => !isDeepStrictEqual(before ?? {}, after))
  if (changed.length === 0) return
  const memories = JSON.stringify(Object.fromEntries(changed.map(({ controlPcbId, after }) => [controlPcbId, after])))
  await rowsOf(
    db,
    sql`${prepared} insert into "warningMemory" ("controlPcbId", "memory") select * from jsonb_each(${memories}::jsonb) order by 1
      on conflict ("controlPcbId") do update set "memory" = excluded."memory"`,
  )
}
