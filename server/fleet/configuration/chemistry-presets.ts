import { sql } from 'kysely'
import { chemistries, chemistryNames, usualChemistry } from '#resources/fleet/chemistries.ts'
import { type CellPreset, type ChemistryPreset, cellsIn } from '#resources/fleet/chemistry-preset.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'

/** Without cells it was brought back to its standard. */
type Stored = { chemistry: string; cells: CellPreset | null; version: number; updatedAt: string; updatedBy: string | null }

/** Every chemistry with its current preset. */
export async function chemistryPresets(db: Queryable): Promise<ChemistryPreset[]> {
  const rows = await rowsOf(
    db,
    sql<Stored>`select "chemistry", "cells", "version", "updatedAt", "updatedBy" from "chemistryPreset"`,
  )
  return chemistryNames.map((chemistry) => {
    const standard = chemistries[chemistry].cells
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

export const presetFor = async (db: Queryable, chemistry: string | null): Promise<CellPreset | undefined> =>
  (await chemistryPresets(db)).find((one) => one.chemistry === (chemistry ?? usualChemistry))
