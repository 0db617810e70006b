import { type Level, withBounds } from '#resources/fleet/warnings/levels.ts'
import type { ThresholdLimit } from '#resources/fleet/warnings/threshold.ts'
import { type Standard, standards, type WarningCode } from '#resources/fleet/warnings/warning-codes.ts'
import type { RuleFacts } from '#server/fleet/warning/rule-facts.ts'

/** A fleet-wide setting that replaces a standard. */
export type Limit = ThresholdLimit
/** By key: `OVER_TEMP`, `CELL_OVER_VOLT-LFP`. */
export type Limits = ReadonlyMap<string, Limit>

export const limitKeyOf = ({ code, chemistry }: { code: WarningCode; chemistry: string | null }): string =>
  chemistry === null ? code : `${code}-${chemistry}`

export const standardByKey: ReadonlyMap<string, Standard> = new Map(
  standards.map((standard) => [limitKeyOf(standard), standard]),
)

/** Codes whose thresholds depend on the chemistry. */
const byChemistry: ReadonlySet<WarningCode> = new Set(
  standards.flatMap(({ code, chemistry }) => (chemistry === null ? [] : code)),
)

/** Threshold key of a code at a site. */
export const keyFor = (code: WarningCode, { site }: RuleFacts): string => {
  if (!byChemistry.has(code)) return code
  const key = limitKeyOf({ code, chemistry: site?.chemistry ?? 'LFP' })
  return standardByKey.has(key) ? key : code
}

const noLevels: readonly Level[] = []

/** Stored settings by key; undefined without one. */
export const limitsOf = (stored: Readonly<Record<string, Limit>> | null | undefined): Limits | undefined =>
  stored ? new Map(Object.entries(stored)) : undefined

/** Levels of a code at a site; empty when its chemistry has none. */
export function levelsFor(code: WarningCode, facts: RuleFacts): readonly Level[] {
  const key = keyFor(code, facts)
  const limit = facts.limits?.get(key)
  const usual = standardByKey.get(key)?.levels ?? noLevels
  if (!limit) return usual
  return usual.map((level) => {
    const set = limit.levels.find(({ severity }) => severity === level.severity)
    return set ? withBounds(level, set) : level
  })
}

/** Required duration in seconds, if set. */
export const delayFor = (code: WarningCode, facts: RuleFacts): number | undefined =>
  facts.limits?.get(keyFor(code, facts))?.delayS
