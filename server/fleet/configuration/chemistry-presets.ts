import { sql } from 'kysely'
import { type CellPreset, type ChemistryPreset, cellsIn } from '#resources/fleet/chemistry-preset.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'

type Numbers = readonly [number, number, number, number, number, number, number]
const preset = ([
  lowestMinMv,
  highestMinMv,
  lowestMaxMv,
  highestMaxMv,
  usualMinMv,
  usualMaxMv,
  nominalMv,
]: Numbers): CellPreset => ({
  lowestMinMv,
  highestMinMv,
  lowestMaxMv,
  highestMaxMv,
  usualMinMv,
  usualMaxMv,
  nominalMv,
})

/** What holds until somebody sets something else for the fleet: makers' service defaults. */
export const standardPresets: ReadonlyMap<string, CellPreset> = new Map([
  ['LFP', preset([2500, 3100, 3400, 3650, 2900, 3550, 3200])],
  ['NMC', preset([3000, 3500, 4000, 4250, 3300, 4150, 3700])],
  ['LTO', preset([1500, 2000, 2400, 2850, 1800, 2700, 2300])],
  ['LEAD_ACID', preset([1750, 2000, 2300, 2500, 1850, 2400, 2000])],
])

/** Where nobody knows of the cells, as with a board that stands nowhere yet. */
export const usualChemistry = 'LFP'

type Stored = { chemistry: string; cells: CellPreset; version: number; updatedAt: string; updatedBy: string | null }

/** Every chemistry with what holds for it. */
export async function chemistryPresets(db: Queryable): Promise<ChemistryPreset[]> {
  const rows = await rowsOf(
    db,
    sql<Stored>`select "chemistry", "cells", "version", "updatedAt", "updatedBy" from "chemistryPreset"`,
  )
  return [...standardPresets].map(([chemistry, standard]) => {
    const stored = rows.find((row) => row.chemistry === chemistry)
    return {
      chemistry,
      ...cellsIn(stored?.cells ?? standard),
      standard,
      version: stored?.version ?? 0,
      updatedAt: stored?.updatedAt ?? null,
      updatedBy: stored?.updatedBy ?? null,
    }
  })
}

/** What holds for cells of this chemistry. */
export const presetFor = async (db: Queryable, chemistry: string | null): Promise<CellPreset | undefined> =>
  (await chemistryPresets(db)).find((one) => one.chemistry === (chemistry ?? usualChemistry))
