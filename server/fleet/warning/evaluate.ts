import type { Level, Severity } from '#resources/fleet/warnings/levels.ts'
import type { WarningCode } from '#resources/fleet/warnings/warning-codes.ts'
import type { Direction } from '#resources/fleet/warnings/warnings.ts'
import { delayFor } from './limits.ts'
import type { Override, RuleFacts } from './rule-facts.ts'
import { isBack, isFlag, isRaised, type SampleRule, severityRank, shownThreshold } from './rules.ts'

/** Conditions that have not lasted long enough yet; plain data, stored with the board. */
export type WarningMemory = {
  /** Since when a level has been reached, by code and severity, in epoch milliseconds of the board's time. */
  pending?: Record<string, number>
  /** Start times of the board, newest last, in epoch milliseconds. */
  starts?: number[]
}

/** A warning that is open now, as far as its rule is concerned. */
export type OpenWarning = { code: string; severity: Severity; latched: boolean }

export type Finding = {
  code: WarningCode
  source: SampleRule['source']
  severity: Severity
  value: number | null
  threshold: number | null
  unit: string
  subject: string | null
  trip: boolean
  latched: boolean
  /** Since when it has been so by the board's time, in epoch milliseconds. */
  sinceMs: number
}

export type Evaluation = {
  /** To be opened, or of another severity than the one that is open. */
  raised: Finding[]
  /** Open ones whose condition still holds. */
  seen: Finding[]
  cleared: WarningCode[]
  pending: Record<string, number>
}

type Judged = { reached: Level | undefined; pending: Record<string, number> }

const keyOf = (code: string, { severity }: Level) => `${code} ${severity}`

/** The highest level that has lasted for its delay, and what is to be remembered of the others. */
function judge(
  rule: SampleRule,
  value: number,
  levels: readonly Level[],
  delayS: number,
  atMs: number,
  before: Record<string, number>,
): Judged {
  const pending: Record<string, number> = {}
  let reached: Level | undefined
  for (const level of levels) {
    if (!isRaised(value, level, rule.direction)) continue
    const key = keyOf(rule.code, level)
    const since = Math.min(before[key] ?? atMs, atMs)
    pending[key] = since
    if (atMs - since >= delayS * 1000) reached = level
  }
  return { reached, pending }
}

/** Level of an open warning: it rises at once and falls when the value passes that level's clear threshold (hysteresis). */
function standing(
  open: OpenWarning,
  reached: Level | undefined,
  levels: readonly Level[],
  value: number,
  direction: Direction,
): Level | undefined {
  const held = levels.filter(
    (level) => severityRank[level.severity] <= severityRank[open.severity] && !isBack(value, level, direction),
  )
  const candidates = [...held, ...(reached ? [reached] : [])]
  return candidates.toSorted((a, b) => severityRank[b.severity] - severityRank[a.severity])[0]
}

/** The levels of a rule where a board has a first level of its own. */
export const overridden = (levels: readonly Level[], override: Override | undefined): readonly Level[] =>
  override
    ? levels.map((level, index) => (index === 0 ? { ...level, raise: override.raise, clear: override.clear } : level))
    : levels

type Sample = {
  facts: RuleFacts
  atMs: number
  memory: WarningMemory
  open: ReadonlyMap<string, OpenWarning>
  overrides: ReadonlyMap<string, Override>
}

function findingOf(rule: SampleRule, level: Level, value: number, facts: RuleFacts, sinceMs: number): Finding {
  const subject = rule.subject ? facts.values[rule.subject] : null
  return {
    code: rule.code,
    source: rule.source,
    severity: level.severity,
    // A flag is set or not: there is nothing to measure in it.
    value: isFlag(level) ? null : value,
    threshold: isFlag(level) ? null : shownThreshold(value, level, rule.direction),
    unit: rule.unit,
    subject: typeof subject === 'string' ? subject : null,
    trip: !!level.trip,
    latched: !!level.latch,
    sinceMs,
  }
}

function evaluateRule(rule: SampleRule, { facts, atMs, memory, open, overrides }: Sample, result: Evaluation): void {
  const before = memory.pending ?? {}
  const value = rule.measure(facts)
  const override = overrides.get(rule.code)
  const levels = overridden(rule.levels(facts), override)
  if (value === undefined) {
    // A sample without the value changes nothing.
    for (const level of levels) {
      const since = before[keyOf(rule.code, level)]
      if (since !== undefined) result.pending[keyOf(rule.code, level)] = since
    }
    return
  }
  const delayS = override?.delayS ?? delayFor(rule.code, facts) ?? rule.delayS
  const mayBegin = rule.begins?.(facts) ?? true
  const { reached, pending } = judge(rule, value, mayBegin ? levels : [], delayS, atMs, before)
  Object.assign(result.pending, pending)
  const known = open.get(rule.code)
  const level = known ? standing(known, reached, levels, value, rule.direction) : reached
  if (!level) {
    if (known && !known.latched) result.cleared.push(rule.code)
    return
  }
  const finding = findingOf(rule, level, value, facts, pending[keyOf(rule.code, level)] ?? atMs)
  if (!known || (known.severity !== level.severity && !known.latched)) result.raised.push(finding)
  else result.seen.push(finding)
}

/** Evaluates the rules on a sample. Pure: it returns the changes. */
export function evaluate(rules: readonly SampleRule[], sample: Sample): Evaluation {
  const result: Evaluation = { raised: [], seen: [], cleared: [], pending: {} }
  for (const rule of rules) evaluateRule(rule, sample, result)
  return result
}
