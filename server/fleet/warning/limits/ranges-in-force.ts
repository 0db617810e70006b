import { sql } from 'kysely'
import type { Level } from '#resources/fleet/warnings/levels.ts'
import { boundsOn } from '#resources/fleet/warnings/threshold.ts'
import type { Direction } from '#resources/fleet/warnings/warnings.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { latestConfiguration } from '#server/fleet/configuration/configuration-state.ts'
import { withOverride } from '#server/fleet/warning/evaluate.ts'
import { type PlantRow, plantColumns, plantModel, plantOf } from '#server/fleet/warning/plant-facts.ts'
import { overridesOf, type RuleFacts } from '#server/fleet/warning/rule-facts.ts'
import { directionOf, isFlag, sampleRules } from '#server/fleet/warning/sample-rules.ts'
import { type Limit, limitsOf } from './limits.ts'
import { limitsInForce } from './limits-sql.ts'

/** Values within the bounds raise no warning; null = unbounded on that side. */
export type WarningRange = { low: number | null; high: number | null }

type Known = PlantRow & {
  sample: Record<string, { value: number | string | null }> | null
  socMinPct: number | null
  overrides: unknown
  limits: Record<string, Limit> | null
}

const knownOf = (db: Queryable, controlPcbId: string) =>
  rowOf(
    db,
    sql<Known>`select "s"."sample", ${plantColumns},
        ("c"."desired"->>'socMinPct')::float8 as "socMinPct", "c"."desired"->'warningOverrides' as "overrides",
        ${limitsInForce} as "limits"
      from "control_pcb" "t" left join "ess" "e" on "e"."id" = "t"."essId" ${plantModel} left join "boardState" "s" on "s"."controlPcbId" = "t"."id"
        left join lateral ${latestConfiguration} "c" on true where "t"."id" = ${controlPcbId}`,
  )

function factsOf({ sample, socMinPct, limits: stored, ...plate }: Known): RuleFacts {
  const limits = limitsOf(stored)
  return {
    values: Object.fromEntries(Object.entries(sample ?? {}).map(([name, { value }]) => [name, value])),
    ...plantOf(plate),
    socMinPct: socMinPct ?? 10,
    clockOffS: null,
    startsInHour: 0,
    ...(limits ? { limits } : {}),
  }
}

function rangeOf(level: Level, direction: Direction): WarningRange {
  const { raise } = level
  if (direction === 'above') return { low: null, high: raise }
  if (direction === 'below') return { low: raise, high: null }
  return { low: direction.around - boundsOn(level, 'under').raise, high: direction.around + raise }
}

/** Current ranges of a board by warning code, evaluated with its newest sample as the rules do; flags have none. */
export async function rangesInForce(db: Queryable, controlPcbId: string): Promise<Record<string, WarningRange>> {
  const known = await knownOf(db, controlPcbId)
  if (!known) return {}
  const [facts, overrides] = [factsOf(known), overridesOf(known.overrides)]
  return Object.fromEntries(
    sampleRules.flatMap((rule) => {
      const { code, levels } = rule
      const [first] = withOverride(levels(facts), overrides.get(code))
      return first && !isFlag(first) ? [[code, rangeOf(first, directionOf(rule, facts))]] : []
    }),
  )
}
