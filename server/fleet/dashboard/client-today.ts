import { sql } from 'kysely'
import type { SummaryToday } from '#schema/wire/summary.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { piecesOf, sourcesOf } from '#server/fleet/telemetry/sources.ts'
import type { Segment } from '#server/fleet/telemetry/windows.ts'
import { zoneOr, zonesOf } from '#server/fleet/telemetry/zones.ts'
import { channelOf } from '#server/frames/channels.ts'

export type OwnedSite = { id: string; zone: string | null; ownerSince: string | null }

const names = ['pvEnergyWh', 'loadEnergyWh', 'gridImportEnergyWh', 'gridExportEnergyWh'] as const
const channels = names.flatMap((name) => channelOf(name) ?? [])
/** The finest rolled-up rows: zones shift the start of a day by quarter hours. */
const bucket = { stepMs: 300_000 }

type SiteSegment = Segment & { essId: string }

/**
 * Main boards of each site since local midnight. After a change of owner or board the span starts with the first sample after
 * it: earlier counter growth belongs to the former owner.
 */
async function segmentsOf(database: Database, sites: readonly OwnedSite[], now: Date): Promise<SiteSegment[]> {
  const zones = await zonesOf(database)
  const ids = sites.map(({ id }) => id)
  const own = sites.map(({ zone }) => zoneOr(zones, zone))
  const since = sites.map(({ ownerSince }) => ownerSince)
  // A board's clock may be up to five minutes ahead before it counts as wrong.
  return rowsOf(
    database.kysely,
    sql<SiteSegment>`select "x"."essId", "x"."controlPcbId", "f"."from", "x"."to" from (
        select "d"."essId", "a"."controlPcbId", "d"."midnight", coalesce("a"."removedAt", ${now}::timestamptz + interval '5 min') as "to",
          greatest("d"."midnight", "a"."attachedAt", "d"."since") as "begin"
        from (select "essId", "since", date_trunc('day', ${now}::timestamptz at time zone "zone") at time zone "zone" as "midnight"
          from unnest(${sql.val(ids)}::text[], ${sql.val(own)}::text[], ${sql.val(since)}::timestamptz[]) as "u" ("essId", "zone", "since")) "d"
        join "control_pcb_attachment" "a" on "a"."essId" = "d"."essId" and "a"."role" = 'MAIN'
          and ("a"."removedAt" is null or "a"."removedAt" > "d"."midnight")) "x"
      cross join lateral (select case when "x"."begin" = "x"."midnight" then "x"."begin" else (select min("m"."ts") + interval '1 ms'
        from "telemetry" "m" where "m"."controlPcbId" = "x"."controlPcbId"::uuid and "m"."ts" >= "x"."begin" and "m"."ts" < "x"."to") end as "from") "f"
      where "f"."from" < "x"."to"`,
  )
}

const columnOf = <T>(segments: readonly SiteSegment[], read: (segment: SiteSegment) => T) => sql.val(segments.map(read))

/** Counter growth of each site today; a site without samples is absent. */
export async function clientToday(
  database: Database,
  sites: readonly OwnedSite[],
  now: Date,
): Promise<Map<string, SummaryToday>> {
  const segments = sites.length > 0 ? await segmentsOf(database, sites, now) : []
  if (segments.length === 0) return new Map()
  const sources = await sourcesOf(database.kysely, segments, { bucket, channels })
  const own = sql`unnest(${columnOf(segments, ({ essId }) => essId)}::text[], ${columnOf(segments, ({ controlPcbId }) => controlPcbId)}::uuid[],
    ${columnOf(segments, ({ from }) => from)}::timestamptz[], ${columnOf(segments, ({ to }) => to)}::timestamptz[])
    as "k" ("essId", "controlPcbId", "from", "to")`
  const rows = await rowsOf(
    database.kysely,
    sql<
      SummaryToday & { essId: string }
    >`select "k"."essId", sum("p"."pvEnergyWhSum")::float8 as "pvWh", sum("p"."loadEnergyWhSum")::float8 as "loadWh",
        sum("p"."gridImportEnergyWhSum")::float8 as "importWh", sum("p"."gridExportEnergyWhSum")::float8 as "exportWh"
      from (${piecesOf(sources, channels)}) "p" join ${own} on "k"."controlPcbId" = "p"."controlPcbId"
        and "p"."ts" >= "k"."from" and "p"."ts" < "k"."to" group by 1`,
  )
  return new Map(rows.map(({ essId, ...today }) => [essId, today]))
}
