import { sql } from 'kysely'
import type { SummaryToday } from '#schema/wire/summary.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import type { OwnedSegment } from '#server/fleet/telemetry/summed-series.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'
import { zoneOr, zonesOf } from '#server/fleet/telemetry/zones.ts'
import { channelOf } from '#server/frames/channels.ts'

export type OwnedSite = { id: string; zone: string | null; ownerSince: string | null }

const names = ['pvEnergyWh', 'loadEnergyWh', 'gridImportEnergyWh', 'gridExportEnergyWh'] as const
const channels = names.flatMap((name) => channelOf(name) ?? [])

type SiteSegment = OwnedSegment & { isWhole: boolean }

/**
 * Main boards of each site since local midnight. After a change of owner or board the span starts with the first sample after
 * it: earlier counter growth belongs to the former owner.
 */
async function segmentsOf(database: Database, sites: readonly OwnedSite[], now: Date): Promise<OwnedSegment[]> {
  const zones = await zonesOf(database)
  const ids = sites.map(({ id }) => id)
  const own = sites.map(({ zone }) => zoneOr(zones, zone))
  const since = sites.map(({ ownerSince }) => ownerSince)
  // A board's clock may be up to five minutes ahead before it counts as wrong.
  const spans = await rowsOf(
    database.kysely,
    sql<SiteSegment>`select "x".*, "x"."from" = "x"."midnight" as "isWhole" from (
        select "d"."essId" as "owner", "a"."controlPcbId", "d"."midnight", coalesce("a"."removedAt", ${now}::timestamptz + interval '5 min') as "to",
          greatest("d"."midnight", "a"."attachedAt", "d"."since") as "from"
        from (select "essId", "since", date_trunc('day', ${now}::timestamptz at time zone "zone") at time zone "zone" as "midnight"
          from unnest(${sql.val(ids)}::text[], ${sql.val(own)}::text[], ${sql.val(since)}::timestamptz[]) as "u" ("essId", "zone", "since")) "d"
        join "control_pcb_attachment" "a" on "a"."essId" = "d"."essId" and "a"."role" = 'MAIN'
          and ("a"."removedAt" is null or "a"."removedAt" > "d"."midnight")) "x"
      where "x"."from" < "x"."to"`,
  )
  const partial = spans.filter(({ isWhole }) => !isWhole)
  const firsts = partial.length > 0 ? await telemetryStore.first(database.kysely, partial) : []
  const begun = new Map(firsts.map(({ controlPcbId, from, first }) => [`${controlPcbId} ${from}`, first]))
  return spans.flatMap(({ isWhole, ...span }) => {
    if (isWhole) return [span]
    const first = begun.get(`${span.controlPcbId} ${span.from}`)
    return first ? [{ ...span, from: new Date(Date.parse(first) + 1).toISOString() }] : []
  })
}

/** Counter growth of each site today; a site without samples is absent. */
export async function clientToday(
  database: Database,
  sites: readonly OwnedSite[],
  now: Date,
): Promise<Map<string, SummaryToday>> {
  const segments = sites.length > 0 ? await segmentsOf(database, sites, now) : []
  const rows = await telemetryStore.growth(database.kysely, segments, channels)
  const number = (value: number | string | null | undefined) => (typeof value === 'number' ? value : null)
  return new Map(
    rows.map((row) => [
      row.owner,
      {
        pvWh: number(row.pvEnergyWh),
        loadWh: number(row.loadEnergyWh),
        importWh: number(row.gridImportEnergyWh),
        exportWh: number(row.gridExportEnergyWh),
      },
    ]),
  )
}
