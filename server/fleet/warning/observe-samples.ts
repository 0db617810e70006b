import { minuteMs } from '#schema/format/durations.ts'
import type { Queryable } from '#server/db/query.ts'
import { provenOffsetMs } from '#server/fleet/ingest/clock-offset.ts'
import type { FrameObserver, IngestedBatch } from '#server/fleet/ingest/ingest-frames.ts'
import type { StoredFrame } from '#server/fleet/ingest/store-packages.ts'
import { Turns } from '#server/fleet/ingest/turns.ts'
import { systemAt } from '#server/fleet/shared/system-at.ts'
import { type DecodedFrame, isRead } from '#server/frames/frame-decoder.ts'
import { startsAfter } from './board-starts.ts'
import { type Held, heldAfter, keyOf } from './course/held-conditions.ts'
import { keepObserved, ObservedConditions } from './course/observed-conditions.ts'
import { isAtSite, isEndOf, type SiteWarning, withoutEnded, withPeaks, withRaised } from './course/open-warnings.ts'
import { WarningChanges } from './course/warning-changes.ts'
import type { Evidence } from './course/warning-row.ts'
import { writeChanges } from './course/write-changes.ts'
import { type Ending, type Evaluation, evaluate, type Moment, type OpenWarning, type WarningMemory } from './evaluate.ts'
import { evaluateEvent, eventOf } from './evaluate-event.ts'
import { type KnownBoard, knownBoards, type Remembered, writeMemories } from './known-board.ts'
import { type Limits, limitsOf } from './limits/limits.ts'
import { metersAfter } from './meter-window.ts'
import { plantOf } from './plant-facts.ts'
import { overridesOf, type RuleFacts } from './rule-facts.ts'
import { flagRules, sampleRules } from './sample-rules.ts'

const hasReason = ({ reasons }: DecodedFrame, ...codes: string[]) => reasons.some(({ code }) => codes.includes(code))

const isNews = ({ decoded }: StoredFrame) => isRead(decoded) && !hasReason(decoded, 'OUT_OF_ORDER')

/** A frame's time by the board: of the sample, else of its header unless the clock is wrong; never later than now. */
function timeOf({ decoded }: StoredFrame, receivedAt: Date): Date {
  const { sample, deviceTime } = decoded
  const own = sample?.at ?? (hasReason(decoded, 'CLOCK_FUTURE', 'CLOCK_PAST') ? null : deviceTime)
  return own && own < receivedAt ? own : receivedAt
}

/** False for a frame from before the board came to where it stands: it tells of another place. */
const isOfSite = ({ board: { siteSince }, receivedAt }: IngestedBatch, frame: StoredFrame) =>
  siteSince === null || timeOf(frame, receivedAt).getTime() >= Date.parse(siteSince)

/** Measured values, or the flags of a frame without a sample. */
const valuesOf = ({ sample, type, values }: DecodedFrame): RuleFacts['values'] =>
  sample?.values ?? (type === 'EVENT' ? { eventFlags: eventOf(values).flags } : {})

const shown = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

/** Values stored with a warning for later diagnosis. */
const snapshotOf = ({ sample, type, values }: DecodedFrame): Record<string, unknown> | null =>
  sample ? shown(sample.values) : type === 'EVENT' ? shown(values) : null

type Reading = {
  batch: IngestedBatch
  known: KnownBoard
  limits: Limits | undefined
  overrides: Moment['overrides']
  silenceMs: number
  changes: WarningChanges
  /** The frame that tells about the clock: earlier ones may have been buffered for hours. */
  last: StoredFrame | undefined
}
/** Values that change per frame. */
type Standing = {
  memory: WarningMemory
  open: readonly (SiteWarning & { lastSeenAt: string })[]
  beforeMs: number | undefined
  /** Time of the last sample. */
  sampledMs: number | undefined
  held: Held
  observed: ObservedConditions
}

/** A longer silence makes the board stale: earlier conditions may have been interrupted. */
const silenceMsOf = ({ reportIntervalS }: KnownBoard) => Math.max(3 * (reportIntervalS ?? 60), 90) * 1000

/** Facts of one frame. */
function factsOf({ batch, known, limits, last }: Reading, frame: StoredFrame, { starts = [] }: WarningMemory): RuleFacts {
  const { receivedAt, sentAtMs } = batch
  const { decoded } = frame
  const offsetMs = frame === last ? provenOffsetMs(decoded.deviceTime, receivedAt, sentAtMs) : undefined
  return {
    values: valuesOf(decoded),
    ...plantOf(known),
    socMinPct: known.socMinPct ?? 10,
    clockOffS: offsetMs === undefined ? null : offsetMs / 1000,
    startsInHour: starts.length,
    ...(limits ? { limits } : {}),
  }
}

const seenEveryMs = 5 * minuteMs

/** `lastSeenAt` is written every few minutes only, but exactly for an event. */
const isDue = (lastSeenAt: string, at: Date, isEvent: boolean): boolean =>
  at.getTime() - Date.parse(lastSeenAt) > (isEvent ? 0 : seenEveryMs)

/** `essId`: the system of the board then. */
type Step = { frame: StoredFrame; at: Date; isEvent: boolean; essId: string | null }

const sampledAtOf = ({ sampledMs }: Standing) => (sampledMs === undefined ? null : new Date(sampledMs))

/** Makes the changes of an evaluation, and answers the warnings that it raised. */
async function apply(db: Queryable, { batch, known, changes }: Reading, step: Step, found: Evaluation, standing: Standing) {
  const now = batch.receivedAt
  const { frame, at, isEvent, essId } = step
  const raised: OpenWarning[] = []
  if (found.raised.length + found.seen.length + found.gone.length + found.cleared.length === 0) return raised
  const evidence: Evidence = { packageId: frame.id, snapshot: snapshotOf(frame.decoded), suppressed: known.maintained }
  const [seen, peaks] = [new Set<OpenWarning>(found.seen), new Set(found.peaks.map(({ of }) => of))]
  const old = standing.open.filter((one) => seen.has(one) && (isDue(one.lastSeenAt, at, isEvent) || peaks.has(one)))
  standing.observed.note(old, at, found.peaks)
  const [sampledAt, isHeld] = [sampledAtOf(standing), (one: OpenWarning) => standing.held.has(keyOf(one))]
  if (sampledAt) standing.observed.note(found.gone.filter(isHeld), sampledAt)
  if (found.peaks.length > 0) standing.open = withPeaks(standing.open, found.peaks)
  if (found.raised.length + found.cleared.length === 0) return raised
  await WarningChanges.load(db, [changes])
  if (found.raised.length > 0) await WarningChanges.loadPast(db, [changes])
  // Endings and changes are told with all that was seen before them.
  changes.observe(standing.observed.take())
  for (const finding of found.raised) {
    const row = changes.raise({ finding, essId, evidence }, { at, now })
    if (!row) continue
    const { subject } = row
    raised.push({ ...finding, subject })
    standing.open = withRaised(standing.open, { ...finding, essId, subject, lastSeenAt: at.toISOString() })
  }
  const wasHeld = (ending: Ending) => standing.open.some((one) => isEndOf(ending, one) && isHeld(one))
  for (const ending of found.cleared) changes.end([ending], { at, now }, wasHeld(ending) ? sampledAt : null)
  standing.open = withoutEnded(standing.open, found.cleared)
  return raised
}

async function observeFrame(db: Queryable, reading: Reading, frame: StoredFrame, standing: Standing): Promise<void> {
  const { decoded } = frame
  const at = timeOf(frame, reading.batch.receivedAt)
  const atMs = at.getTime()
  const { essId } = reading.batch.board
  const { pending: _, ...before } = standing.memory
  const starts = startsAfter(before, decoded, { atMs, beforeMs: standing.beforeMs ?? atMs })
  const alone = factsOf(reading, frame, starts)
  const meters = metersAfter(before, alone, { atMs, silenceMs: reading.silenceMs })
  const facts = { ...alone, metersOffPct: (meters.meters ?? []).map(({ offPct }) => offPct) }
  const momentOf = (): Moment => {
    const open = standing.open.filter((one) => isAtSite(one, essId))
    return { ...reading, ...standing, open, facts, atMs }
  }
  const judge = async (found: Evaluation, isEvent: boolean) => {
    const raised = await apply(db, reading, { frame, at, isEvent, essId }, found, standing)
    standing.held = heldAfter(standing.held, found, raised, standing.open)
    const { pending } = found
    standing.memory = {
      ...(Object.keys(pending).length > 0 ? { pending } : {}),
      ...starts,
      ...meters,
      ...(standing.held.size > 0 ? { held: [...standing.held] } : {}),
    }
  }
  if (decoded.type === 'EVENT') {
    await judge(evaluateEvent(flagRules, eventOf(decoded.values), momentOf()), true)
  }
  await judge(evaluate(sampleRules, momentOf()), false)
  standing.beforeMs = atMs
  if (decoded.sample) standing.sampledMs = atMs
}

const lasting = flagRules.filter(({ level }) => level.latch)

/** A late event, or one from before the board was moved, says nothing about the present; only latched warnings are raised from it. */
async function observeLate(db: Queryable, reading: Reading, frame: StoredFrame, standing: Standing): Promise<void> {
  const { board, receivedAt } = reading.batch
  const at = timeOf(frame, receivedAt)
  const facts = factsOf(reading, frame, standing.memory)
  const { raised, subject } = eventOf(frame.decoded.values)
  const isHere = isOfSite(reading.batch, frame)
  const open = standing.open.filter((one) => isAtSite(one, board.essId) === isHere)
  const moment = { ...reading, ...standing, open, facts, atMs: at.getTime(), memory: {} }
  const found = evaluateEvent(lasting, { raised, cleared: 0, flags: null, subject }, moment)
  const essId = found.raised.length > 0 && !isHere ? await systemAt(db, board.controlPcbId, at) : board.essId
  await apply(db, reading, { frame, at, isEvent: false, essId }, found, standing)
}

const isReadEvent = ({ decoded }: StoredFrame) => decoded.type === 'EVENT' && isRead(decoded)
const isLateEvent = (frame: StoredFrame) => isReadEvent(frame) && hasReason(frame.decoded, 'OUT_OF_ORDER')

const isJudged = (frame: StoredFrame) => isNews(frame) || isLateEvent(frame)

const earliestOf = ({ frames, receivedAt }: IngestedBatch) =>
  new Date(Math.min(...frames.map((frame) => timeOf(frame, receivedAt).getTime())))

type Outcome = { standing: Standing; changes: WarningChanges }

/** Evaluates every frame of a board, and answers what is to be written of it. A late sample is not evaluated as the present. */
async function observeBoard(db: Queryable, batch: IngestedBatch, known: KnownBoard, turns: Turns): Promise<Outcome> {
  const { board, frames } = batch
  const overrides = overridesOf(known.overrides)
  const changes = new WarningChanges({ controlPcbId: board.controlPcbId, essId: board.essId }, earliestOf(batch))
  const reading: Reading = {
    batch,
    known,
    limits: limitsOf(known.limits),
    overrides,
    silenceMs: silenceMsOf(known),
    changes,
    last: batch.isLast ? frames.findLast(isNews) : undefined,
  }
  const beforeMs = board.lastSampleAt ? Date.parse(board.lastSampleAt) : undefined
  const standing: Standing = {
    memory: known.memory ?? {},
    open: known.open ?? [],
    beforeMs,
    sampledMs: beforeMs,
    held: new Set(known.memory?.held),
    observed: new ObservedConditions(),
  }
  for (const frame of frames) {
    if (isNews(frame) && isOfSite(batch, frame)) await observeFrame(db, reading, frame, standing)
    else if (isReadEvent(frame)) await observeLate(db, reading, frame, standing)
    await turns.pass(1)
  }
  return { standing, changes }
}

const latestOf = (group: readonly IngestedBatch[]) => new Date(Math.max(...group.map(({ receivedAt }) => receivedAt.getTime())))

/** Evaluates the frames of all boards of a transaction. */
export const observeSamples: FrameObserver = async (db, group) => {
  const judged = group.filter(({ frames }) => frames.some(isJudged))
  if (judged.length === 0) return
  const boards = await knownBoards(db, judged)
  const remembered: Remembered[] = []
  const outcomes: Outcome[] = []
  const turns = new Turns()
  for (const batch of judged) {
    const { controlPcbId } = batch.board
    const known = boards.get(controlPcbId)
    if (!known) continue
    const outcome = await observeBoard(db, batch, known, turns)
    remembered.push({ controlPcbId, before: known.memory, after: outcome.standing.memory })
    outcomes.push(outcome)
  }
  await keepObserved(
    db,
    outcomes.map(({ standing, changes }) => ({ seen: standing.observed.take(), changes })),
  )
  await writeChanges(
    db,
    outcomes.map(({ changes }) => changes),
    latestOf(judged),
  )
  await writeMemories(db, remembered)
}
