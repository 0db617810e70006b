import { sql } from 'kysely'
import { usualChemistry } from '#resources/fleet/chemistries.ts'
import type { CellPreset, PresetEffect } from '#resources/fleet/chemistry-preset.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'

const mostExamples = 20

/** Boards of a chemistry with their desired limits. */
const boardsOf = (chemistry: string) => sql`select "b"."id", "b"."code",
    case when "e"."id" is not null then json_build_object('id', "e"."id", 'code', "e"."code") end as "ess",
    ("c"."desired"->>'cellVoltageMinMv')::float8 as "minMv", ("c"."desired"->>'cellVoltageMaxMv')::float8 as "maxMv"
  from "control_pcb" "b" left join "ess" "e" on "e"."id" = "b"."essId"
    join lateral (select "desired" from "configuration" where "controlPcbId" = "b"."id" order by "version" desc limit 1) "c" on true
  where coalesce("e"."chemistry", ${usualChemistry}) = ${chemistry}`

const isOutside = ({ lowestMinMv, highestMinMv, lowestMaxMv, highestMaxMv }: CellPreset) =>
  sql`("minMv" not between ${lowestMinMv} and ${highestMinMv} or "maxMv" not between ${lowestMaxMv} and ${highestMaxMv})`

type Count = { boards: number; before: number; outside: number }
type Found = { id: string; code: string; ess: { id: string; code: string } | null; minMv: number | null; maxMv: number | null }

/** Boards whose desired limits lie outside of the window, for the current and the proposed one. */
export async function previewPreset(
  db: Queryable,
  { chemistry, now, wanted }: { chemistry: string; now: CellPreset; wanted: CellPreset },
): Promise<PresetEffect> {
  const count = await rowOf(
    db,
    sql<Count>`select count(*) as "boards", count(*) filter (where ${isOutside(now)}) as "before",
      count(*) filter (where ${isOutside(wanted)}) as "outside" from (${boardsOf(chemistry)}) "held"`,
  )
  const found = await rowsOf(
    db,
    sql<Found>`select * from (${boardsOf(chemistry)}) "held" where ${isOutside(wanted)} order by "code" limit ${mostExamples}`,
  )
  const examples = found.map(({ id, code, ...rest }) => ({ board: { id, code }, ...rest }))
  return { boards: Number(count?.boards), before: Number(count?.before), outside: Number(count?.outside), examples }
}
