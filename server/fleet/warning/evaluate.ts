import { furtherPlaces, mostPlaces } from '#resources/fleet/cell-place.ts'
import { type Level, type Severity, withBounds } from '#resources/fleet/warnings/levels.ts'
import type { WarningCode } from '#resources/fleet/warnings/warning-codes.ts'
import type { Direction } from '#resources/fleet/warnings/warnings.ts'
import { delayFor } from './limits/limits.ts'
import { nonePending, type Pending, pendingKey, pendingOf } from './pending.ts'
import type { Override, RuleFacts } from './rule-facts.ts'
import {
  directionOf,
  isBack,
  isFlag,
  isRaised,
  isWorse,
  type SampleRule,
  severityRank,
  shownMeasure,
  shownThreshold,
} from './sample-rules.ts'

/** State of a board from earlier frames; plain data, stored with the board. */
export type WarningMemory = {
  /** Conditions that have not met their delay yet, by code, severity and place. */
  pending?: Record<string, Pending>
  /** Start times of the board, newest last, in epoch milliseconds. */
  starts?: number[]
  /** Reboot count of the last header that had one. */
  reboots?: number
  /** Open warnings whose condition held at the last frame that told of it. */
  held?: string[]
  /** How far the meters were off within the last hour, in % of the largest power, oldest first. */
  meters?: { seenMs: number; offPct: number }[]
}

/** An open warning, as far as rules need it; `subject`: its place, null = none in particular; `value`: the worst of its severity. */
export type OpenWarning = { code: string; severity: Severity; latched: boolean; subject: string | null; value?: number | null }

/** A worse value of an open warning than any before, at the same severity. */
export type Peak = { of: OpenWarning; value: number; threshold: number }

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
  /** Start of the condition by the board's time, in epoch milliseconds. */
  sinceMs: number
}

/** The end of a warning at one place; without a subject at every place. */
export type Ending = { code: string; subject?: string | null }

export type Evaluation = {
  /** New warnings, or open ones with a changed severity. */
  raised: Finding[]
  /** Open ones whose condition still holds. */
  seen: OpenWarning[]
  peaks: Peak[]
  /** Latched ones, which stay open, whose condition is over. */
  gone: OpenWarning[]
  cleared: Ending[]
  pending: Record<string, Pending>
}

/** One frame of a board and the inputs of its rules. After a silence of `silenceMs` no condition counts as continuous. */
export type Moment = {
  facts: RuleFacts
  atMs: number
  memory: WarningMemory
  open: readonly OpenWarning[]
  overrides: ReadonlyMap<string, Override>
  silenceMs: number
}

export const delayMsOf = ({ code, delayS }: SampleRule, { facts, overrides }: Moment): number =>
  (overrides.get(code)?.delayS ?? delayFor(code, facts) ?? delayS) * 1000

type Judged = { reached: Level | undefined; pending: Record<string, Pending> }
type Asked = { rule: SampleRule; direction: Direction; value: number; levels: readonly Level[]; delayMs: number; atMs: number }

/** The highest level that has met its delay, at one place or at any, and the pending state of the others. */
function judge(
  { rule, direction, value, levels, delayMs, atMs }: Asked,
  before: Record<string, Pending>,
  place?: string,
): Judged {
  const pending: Record<string, Pending> = {}
  let reached: Level | undefined
  for (const level of levels) {
    if (!isRaised(value, level, direction)) continue
    const key = pendingKey(rule, level, place)
    const known = before[key]
    const sinceMs = Math.min(known?.sinceMs ?? atMs, atMs)
    pending[key] = { ...known, sinceMs, seenMs: atMs }
    if (atMs - sinceMs >= delayMs) reached = level
  }
  return { reached, pending }
}

const worstOf = (levels: readonly Level[]): Level | undefined =>
  levels.toSorted((a, b) => severityRank[b.severity] - severityRank[a.severity])[0]

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
  return worstOf([...held, ...(reached ? [reached] : [])])
}

/** The levels of a rule, with a board's own first level. */
export const withOverride = (levels: readonly Level[], override: Override | undefined): readonly Level[] =>
  override ? levels.map((level, index) => (index === 0 ? withBounds(level, override) : level)) : levels

type Found = { level: Level; direction: Direction; value: number; subject: string | null; sinceMs: number }

export function findingOf(rule: SampleRule, { level, direction, value, subject, sinceMs }: Found): Finding {
  return {
    code: rule.code,
    source: rule.source,
    severity: level.severity,
    // A flag has no measured value.
    value: isFlag(level) ? null : shownMeasure(value),
    threshold: isFlag(level) ? null : shownThreshold(value, level, direction),
    unit: rule.unit,
    subject,
    trip: !!level.trip,
    latched: !!level.latch,
    sinceMs,
  }
}

const rankOf = (one: { severity: Severity } | undefined): number => (one ? severityRank[one.severity] : 0)

const highestOf = (warnings: readonly OpenWarning[]): number => Math.max(0, ...warnings.map(rankOf))

/** A rule applied to a sample: the rule, its pending state, and its open warnings. */
type Trial = {
  asked: Asked
  levels: readonly Level[]
  before: Record<string, Pending>
  place: string | null
  known: readonly OpenWarning[]
}

/** A cell without a warning of its own, of a code that has as many as it may. */
const isFurther = ({ place, known }: Trial): boolean =>
  !known.some(({ subject }) => subject === place) &&
  known.filter(({ subject }) => subject !== null && subject !== furtherPlaces).length >= mostPlaces

const isHere = (trial: Trial, { subject }: OpenWarning): boolean =>
  trial.place === null || subject === null || subject === trial.place || (subject === furtherPlaces && isFurther(trial))

/** The value is the worst of all places: elsewhere it is at most as bad. */
function judgeOpen(trial: Trial, one: OpenWarning, reached: Level | undefined, result: Evaluation): void {
  const { asked, levels, place } = trial
  const { rule, direction, value, atMs } = asked
  const here = isHere(trial, one)
  const level = standing(one, here ? reached : undefined, levels, value, direction)
  if (!level) {
    if (one.latched) result.gone.push(one)
    else result.cleared.push({ code: rule.code, subject: one.subject })
  } else if (level.severity !== one.severity && !one.latched)
    result.raised.push(findingOf(rule, { level, direction, value, subject: one.subject ?? place, sinceMs: atMs }))
  else if (here) {
    result.seen.push(one)
    const own = levels.find(({ severity }) => severity === one.severity)
    if (own && typeof one.value === 'number' && isWorse(shownMeasure(value), one.value, direction))
      result.peaks.push({ of: one, value: shownMeasure(value), threshold: shownThreshold(value, own, direction) })
  }
}

/** Another place gets a warning of its own when it has been the worst for the delay, or is worse than every open one. */
function judgeFurther(trial: Trial, { reached, pending }: Judged, result: Evaluation): void {
  const { asked, before, place, known } = trial
  const { rule, direction, value, atMs } = asked
  const own = place !== null && known.length > 0 ? judge(asked, before, place) : { reached, pending }
  Object.assign(result.pending, own.pending)
  const isWorst = rankOf(reached) > highestOf(known)
  const level = isWorst ? reached : own.reached
  if (!level) return
  const since = isWorst ? pending[pendingKey(rule, level)] : own.pending[pendingKey(rule, level, place)]
  result.raised.push(findingOf(rule, { level, direction, value, subject: place, sinceMs: since?.sinceMs ?? atMs }))
}

/**
 * Places named by an event: while the flag is set, the delay of each counts from that event. Returns true when there are any.
 */
function judgeNamed({ asked, levels, before, known }: Trial, result: Evaluation): boolean {
  const { rule, direction, value, delayMs, atMs } = asked
  const named = Object.entries(before).flatMap(([key, since]) =>
    since.subject ? [{ key, ...since, subject: since.subject }] : [],
  )
  const [level] = levels
  if (!level || !isRaised(value, level, direction)) return false
  for (const { key, ...since } of named) {
    const { sinceMs, subject } = since
    if (atMs - sinceMs < delayMs) result.pending[key] = { ...since, seenMs: atMs }
    else if (!known.some((one) => one.subject === subject))
      result.raised.push(findingOf(rule, { level, direction, value, subject, sinceMs }))
  }
  return named.length > 0
}

function evaluateRule(rule: SampleRule, moment: Moment, result: Evaluation): void {
  const { facts, atMs, open, overrides } = moment
  const before = pendingOf(moment, rule.code)
  const value = rule.measure(facts)
  if (value === undefined) {
    // A sample without the value changes nothing.
    Object.assign(result.pending, before)
    return
  }
  const levels = withOverride(rule.levels(facts), overrides.get(rule.code))
  const direction = directionOf(rule, facts)
  const known = open.length === 0 ? open : open.filter(({ code }) => code === rule.code)
  // Most rules of most samples: nothing is open or pending, and no level is reached.
  const isQuiet = known.length === 0 && before === nonePending
  if (isQuiet && !levels.some((level) => isRaised(value, level, direction))) return
  const mayBegin = rule.begins?.(facts) ?? true
  const asked = { rule, direction, value, levels: mayBegin ? levels : [], delayMs: delayMsOf(rule, moment), atMs }
  const place = rule.subject ? facts.values[rule.subject] : null
  const trial: Trial = { asked, levels, before, place: typeof place === 'string' ? place : null, known }
  const judged = judge(asked, before)
  for (const one of known) judgeOpen(trial, one, judged.reached, result)
  // A pending condition of an open warning is dropped, unless the warning can be cleared manually while it lasts.
  const openRank = highestOf(known.filter(({ latched }) => !latched))
  for (const level of levels) {
    const pending = judged.pending[pendingKey(rule, level)]
    if (pending && rankOf(level) > openRank) result.pending[pendingKey(rule, level)] = pending
  }
  const hasNamed = judgeNamed(trial, result)
  if (!hasNamed && !known.some((one) => isHere(trial, one))) judgeFurther(trial, judged, result)
}

/** Evaluates the rules on a sample. Pure: it returns the changes. */
export function evaluate(rules: readonly SampleRule[], moment: Moment): Evaluation {
  const result: Evaluation = { raised: [], seen: [], peaks: [], gone: [], cleared: [], pending: {} }
  for (const rule of rules) evaluateRule(rule, moment, result)
  return result
}
