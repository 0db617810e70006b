import { sql } from 'kysely'
import type { Severity } from '#resources/fleet/warnings/levels.ts'
import type { Threshold, ThresholdEffect, ThresholdLimit } from '#resources/fleet/warnings/threshold.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { isFresh, isOfSite } from '#server/fleet/shared/fleet-sql.ts'
import { evaluate, type OpenWarning } from '#server/fleet/warning/evaluate.ts'
import { type PlantRow, plantColumns, plantModel, plantOf } from '#server/fleet/warning/plant-facts.ts'
import { overridesOf, type RuleFacts } from '#server/fleet/warning/rule-facts.ts'
import { sampleRules, severityRank } from '#server/fleet/warning/sample-rules.ts'
import { keyFor, type Limits } from './limits.ts'

const atOnce = 500
const mostExamples = 20

type Held = PlantRow & {
  id: string
  code: string
  ess: { id: string; code: string } | null
  socMinPct: number | null
  overrides: unknown
  sample: Record<string, { value: number | string | null }>
  clockOffS: number | null
  starts: number
  open: { severity: Severity; latched: boolean } | null
}

/** Keyset page of boards with a present sample, with all rule inputs. */
const boardsAfter = (db: Queryable, after: string, code: string) =>
  rowsOf(
    db,
    sql<Held>`select "b"."id", "b"."code", case when "e"."id" is not null then json_build_object('id', "e"."id", 'code', "e"."code") end as "ess",
        ${plantColumns}, ("c"."desired"->>'socMinPct')::float8 as "socMinPct",
        "c"."desired"->'warningOverrides' as "overrides", "s"."sample", "s"."clockOffsetMs"::float8 / 1000 as "clockOffS",
        coalesce(jsonb_array_length("y"."memory"->'starts'), 0) as "starts",
        (select json_build_object('severity', "w"."severity", 'latched', "w"."latched") from "telemetry_warning" "w"
          where "w"."controlPcbId" = "b"."id" and "w"."code" = ${code} and "w"."active"
          order by array_position(array['CRITICAL', 'WARNING', 'INFO'], "w"."severity") limit 1) as "open"
      from "control_pcb" "b" join "boardState" "s" on "s"."controlPcbId" = "b"."id" and "s"."sample" is not null
          and ${isFresh()} and ${isOfSite('lastSampleAt')}
        left join "ess" "e" on "e"."id" = "b"."essId" ${plantModel} left join "warningMemory" "y" on "y"."controlPcbId" = "b"."id"
        left join lateral (select "desired" from "configuration" where "controlPcbId" = "b"."id" order by "version" desc limit 1) "c" on true
      where "b"."id" > ${after} order by "b"."id" limit ${atOnce}`,
  )

const factsOf = ({ sample, socMinPct, clockOffS, starts, ...plate }: Held): RuleFacts => ({
  values: Object.fromEntries(Object.entries(sample).map(([name, { value }]) => [name, value])),
  ...plantOf(plate),
  socMinPct: socMinPct ?? 10,
  clockOffS,
  startsInHour: starts,
})

type Asked = { threshold: Threshold; stored: Limits; levels: ThresholdLimit['levels'] }

/** Level of a board ignoring delays, on both sides of the comparison. */
function outcome(held: Held, { threshold: { key, code }, stored, levels }: Asked): Severity | null {
  const limits: Limits = new Map([...stored, [key, { delayS: 0, levels }]])
  const rules = sampleRules.filter((rule) => rule.code === code)
  const open: OpenWarning[] = held.open ? [{ code, ...held.open, subject: null }] : []
  const overrides = new Map([...overridesOf(held.overrides)].map(([name, own]) => [name, { ...own, delayS: 0 }]))
  const facts = { ...factsOf(held), limits }
  const { raised, cleared } = evaluate(rules, { facts, atMs: 0, memory: {}, open, overrides, silenceMs: 0 })
  if (raised[0]) return raised[0].severity
  return cleared.some((ending) => ending.code === code) ? null : (held.open?.severity ?? null)
}

const rankOf = (severity: Severity | null) => (severity ? severityRank[severity] : 0)

/** Evaluates proposed levels on the newest samples of the fleet and returns the differences. */
export async function previewThreshold(db: Queryable, { threshold, stored, levels }: Asked): Promise<ThresholdEffect> {
  const { code, key } = threshold
  const measure = sampleRules.find((rule) => rule.code === code)?.measure
  const examples: ThresholdEffect['examples'][number][] = []
  let boards = 0
  for (let page = await boardsAfter(db, '', code); page.length > 0; page = await boardsAfter(db, page.at(-1)?.id ?? '', code)) {
    for (const held of page) {
      const facts = factsOf(held)
      const value = measure?.(facts)
      if (value === undefined || keyFor(code, facts) !== key) continue
      boards += 1
      const from = outcome(held, { threshold, stored, levels: threshold.levels })
      const to = outcome(held, { threshold, stored, levels })
      if (from !== to) examples.push({ board: { id: held.id, code: held.code }, ess: held.ess, value, from, to })
    }
    if (page.length < atOnce) break
  }
  return {
    boards,
    begin: examples.filter(({ from }) => from === null).length,
    end: examples.filter(({ to }) => to === null).length,
    change: examples.filter(({ from, to }) => from !== null && to !== null).length,
    examples: examples
      .toSorted((a, b) => Math.max(rankOf(b.from), rankOf(b.to)) - Math.max(rankOf(a.from), rankOf(a.to)))
      .slice(0, mostExamples),
  }
}
