import { furtherPlaces, mostPlaces } from '#resources/fleet/cell-place.ts'
import { hasBit } from '#resources/fleet/warnings/warning-codes.ts'
import type { Value } from '#server/frames/wire-field.ts'
import { delayMsOf, type Evaluation, findingOf, type Moment, type OpenWarning } from './evaluate.ts'
import { type Pending, pendingKey, pendingOf } from './pending.ts'
import type { FlagRule } from './sample-rules.ts'

/** Flags raised or cleared between two samples, all flags after that, and the affected cell. */
export type FlagEvent = { raised: number; cleared: number; flags: number | null; subject: string | null }

const numberOf = (value: Value | undefined): number | null => (typeof value === 'number' ? value : null)

export const eventOf = (values: Readonly<Record<string, Value>>): FlagEvent => ({
  raised: numberOf(values.raisedFlags) ?? 0,
  cleared: numberOf(values.clearedFlags) ?? 0,
  flags: numberOf(values.eventFlags),
  subject: typeof values.subject === 'string' ? values.subject : null,
})

/** An event's statement about one flag. `isPart`: over at one of several places, so the flag stays set for the others. */
type FlagChange = { rose: boolean; isOver: boolean; isPart: boolean; subject: string | null }

function changeOf({ bit }: FlagRule, { raised, cleared, flags, subject }: FlagEvent): FlagChange {
  const [rose, isSet] = [hasBit(raised, bit), flags !== null && hasBit(flags, bit)]
  return { rose, isOver: hasBit(cleared, bit) && !(rose && isSet), isPart: isSet && subject !== null, subject }
}

/** A place that a code has already, or may still have; all others are one. */
function placeWithin(
  subject: string | null,
  known: readonly Pick<OpenWarning, 'subject'>[],
  pending: Record<string, Pending>,
): string | null {
  if (subject === null) return null
  const places = new Set([...known, ...Object.values(pending)].flatMap((one) => one.subject || []))
  places.delete(furtherPlaces)
  return places.has(subject) || places.size < mostPlaces ? subject : furtherPlaces
}

/**
 * Memory of a flag by place, with places that start now. Samples show the flag without its place: what they have seen is the start of
 * the first place that is named, and of no further one.
 */
function waitingOf(
  rule: FlagRule,
  { rose, subject }: FlagChange,
  atMs: number,
  known: readonly OpenWarning[],
  before: Record<string, Pending>,
): Record<string, Pending> {
  if (!rose) return before
  const key = pendingKey(rule, rule.level, subject)
  const isNamed = [...known, ...Object.values(before)].some((one) => one.subject)
  const seen = isNamed ? undefined : before[pendingKey(rule, rule.level)]
  const { sinceMs } = before[key] ?? seen ?? { sinceMs: atMs }
  return { ...before, [key]: { sinceMs, seenMs: atMs, isTold: true, ...(subject ? { subject } : {}) } }
}

/** Open warnings that an event tells of: there until now where it ends one that stays open, else there now. */
function noteOpen(
  { level }: FlagRule,
  { rose, isOver, isPart, subject }: FlagChange,
  known: readonly OpenWarning[],
  result: Evaluation,
) {
  const isWhole = isOver && !isPart
  if (isWhole && level.latch) result.gone.push(...known)
  if (isOver ? level.latch : rose)
    result.seen.push(...known.filter((one) => isWhole || subject === null || one.subject === subject))
}

/** A flag that lasted for its delay raises its warning, even if it ends before any sample has it. */
function evaluateFlag(rule: FlagRule, told: FlagChange, moment: Moment, result: Evaluation): void {
  const { code, level } = rule
  const known = moment.open.filter((one) => one.code === code)
  const before = pendingOf(moment, code)
  const change = told.rose ? { ...told, subject: placeWithin(told.subject, known, before) } : told
  const { isOver, isPart, subject } = change
  const ownKey = pendingKey(rule, level, subject)
  let isOpen = known.length > 0
  const lastedMs = delayMsOf(rule, moment)
  for (const [key, since] of Object.entries(waitingOf(rule, change, moment.atMs, known, before))) {
    const isOwn = key === ownKey
    const ends = isOver && (isOwn || !isPart)
    const place = since.subject ?? null
    if (!(ends || isOwn) || moment.atMs - since.sinceMs < lastedMs) {
      if (!ends) result.pending[key] = since
    } else if (!known.some((one) => place === null || one.subject === place)) {
      result.raised.push(
        findingOf(rule, { level, direction: rule.direction, value: 1, subject: place, sinceMs: since.sinceMs }),
      )
      isOpen = true
    }
  }
  if (isOver && isOpen) result.cleared.push(isPart ? { code, subject } : { code })
  noteOpen(rule, change, known, result)
}

/** Evaluates an event between two samples. A flag that rose and fell at once was set for a moment. */
export function evaluateEvent(rules: readonly FlagRule[], event: FlagEvent, moment: Moment): Evaluation {
  const result: Evaluation = { raised: [], seen: [], peaks: [], gone: [], cleared: [], pending: {} }
  const touched = new Set<string>()
  for (const rule of rules) {
    const change = changeOf(rule, event)
    if (!change.rose && !change.isOver) continue
    touched.add(rule.code)
    evaluateFlag(rule, change, moment, result)
  }
  for (const [key, pending] of Object.entries(moment.memory.pending ?? {}))
    if (!touched.has(key.split(' ', 1)[0] ?? '')) result.pending[key] = pending
  return result
}
