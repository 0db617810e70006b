import { sql } from 'kysely'
import type { SummaryFleet } from '#schema/wire/summary.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { freshMains } from '#server/fleet/shared/fleet-sql.ts'

const names = ['socPct', 'energyAvailableWh', 'pvPowerW', 'loadPowerW', 'batteryPowerW', 'gridPowerW'] as const
/** Unpacks a sample's JSON once for all values. */
const unpacked = sql.raw(names.map((name) => `"${name}" jsonb`).join(', '))
const values = sql.raw(names.map((name) => `("x"."${name}"->>'value')::float8 as "${name}"`).join(', '))

const binPct = 10
const bins = 100 / binPct
const binColumns = sql.raw(
  Array.from({ length: bins }, (_, bin) => `count(*) filter (where "bin" = ${bin}) as "bin${bin}"`).join(', '),
)

type Found = Omit<SummaryFleet, 'query' | 'soc'> & Record<`bin${number}`, number>

const isMeasured = sql.raw(names.map((name) => `"${name}" is not null`).join(' or '))

const noneMeasured = { socPct: 0, storedWh: 0, pvPowerW: 0, loadPowerW: 0, batteryPowerW: 0, gridPowerW: 0 }

/** Charge has one decimal, so each bin ends a tenth below the next: the list filters by both bounds, inclusively. */
const endOf = (bin: number) => (bin === bins - 1 ? 100 : (bin + 1) * binPct - 0.1)

/**
 * Sums over all systems from the newest samples of their main boards, without silent ones; charge is weighted by capacity. A system
 * counts in a sum only when it measures what is summed.
 */
export async function fleetNow(db: Queryable): Promise<SummaryFleet> {
  const found = await rowOf(
    db,
    sql<Found>`select count(*) as "systems", sum("energyAvailableWh") as "storedWh",
        sum("ratedEnergyWh") filter (where "energyAvailableWh" is not null)::float8 as "ratedWh",
        (sum("socPct" * "ratedEnergyWh") / nullif(sum("ratedEnergyWh") filter (where "socPct" is not null), 0))::float8 as "socPct", sum("pvPowerW") as "pvPowerW", sum("loadPowerW") as "loadPowerW",
        sum("batteryPowerW") as "batteryPowerW", sum("gridPowerW") as "gridPowerW",
        json_build_object('socPct', count("socPct"), 'storedWh', count("energyAvailableWh"), 'pvPowerW', count("pvPowerW"),
          'loadPowerW', count("loadPowerW"), 'batteryPowerW', count("batteryPowerW"), 'gridPowerW', count("gridPowerW")) as "measured",
        ${binColumns}
      from (select *, case when "socPct" is not null then least(${bins - 1}, floor("socPct" / ${binPct})) end as "bin"
        from (select "e"."ratedEnergyWh", ${values} from ${freshMains} join "ess" "e" on "e"."id" = "b"."essId"
          cross join lateral jsonb_to_record("s"."sample") as "x" (${unpacked})) "v" where ${isMeasured}) "sites"`,
  )
  const { systems = 0, storedWh = null, ratedWh = null, socPct = null } = found ?? {}
  const { pvPowerW = null, loadPowerW = null, batteryPowerW = null, gridPowerW = null } = found ?? {}
  const measured = found?.measured ?? noneMeasured
  const soc = Array.from({ length: bins }, (_, bin) => ({
    from: bin * binPct,
    to: endOf(bin),
    count: found?.[`bin${bin}`] ?? 0,
  }))
  const powers = { pvPowerW, loadPowerW, batteryPowerW, gridPowerW }
  return { systems, query: 'socPct_null=false', storedWh, ratedWh, socPct, ...powers, measured, soc }
}
