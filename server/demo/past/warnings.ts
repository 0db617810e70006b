import type { Severity } from '#resources/fleet/warnings/levels.ts'
import type { WarningCode } from '#resources/fleet/warnings/warning-codes.ts'
import { dayMs, hourMs, minuteMs } from '#schema/format/durations.ts'
import type { Random } from '#server/demo/random.ts'
import { type Cast, randomFaults, unrestEveryMs } from '#server/demo/simulator/demo-script.ts'
import type { BoardFault } from '#server/demo/simulator/fault-store.ts'
import type { FaultKind } from '#server/demo/simulator/faults.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'

export const pastDays = 60
/** A warning that ended so lately may go on: the present has it. */
const settledMs = 15 * minuteMs

/** The warning that comes of a fault: how long after its begin, and how long after its end it is over. */
type Outcome = {
  code: WarningCode
  severity: Severity
  source: 'BOARD' | 'SERVER'
  afterMs: number
  tailMs: number
  trip?: true
  measured?: { value: (random: Random) => number; threshold?: number; unit: string }
}

const silence: Outcome = {
  code: 'COMM_LOST',
  severity: 'WARNING',
  source: 'SERVER',
  afterMs: 15.5 * minuteMs,
  tailMs: minuteMs,
  measured: { value: () => 0.26, unit: 'h' },
}

const outcomes: Partial<Record<FaultKind, readonly Outcome[]>> = {
  COMMS_LOSS: [silence],
  GRID_OUTAGE: [{ code: 'OFF_GRID', severity: 'INFO', source: 'BOARD', afterMs: minuteMs / 2, tailMs: minuteMs / 2 }],
  DOOR_OPEN: [{ code: 'DOOR_OPEN', severity: 'WARNING', source: 'BOARD', afterMs: 1.5 * minuteMs, tailMs: minuteMs / 2 }],
  OVER_TEMP: [
    {
      code: 'OVER_TEMP',
      severity: 'CRITICAL',
      source: 'BOARD',
      afterMs: 1.5 * minuteMs,
      tailMs: minuteMs,
      trip: true,
      measured: { value: (random) => 58 + random.int(0, 6) / 10, threshold: 55, unit: '°C' },
    },
  ],
  GARBLED: [
    silence,
    {
      code: 'PKT_INVALID_RATE',
      severity: 'WARNING',
      source: 'SERVER',
      afterMs: 7 * minuteMs,
      tailMs: 2 * hourMs,
      measured: { value: (random) => random.int(50, 90) / 10, threshold: 5, unit: '%' },
    },
  ],
}

/** Faults of the past by the same chance as those to come. */
export function pastFaults(
  cast: readonly Cast[],
  seed: number,
  { fromMs, nowMs }: { fromMs: number; nowMs: number },
): BoardFault[] {
  const of = new Map(cast.map((board) => [board.id, board]))
  const turns = Math.floor(nowMs / unrestEveryMs) - Math.ceil(fromMs / unrestEveryMs)
  return Array.from({ length: Math.max(0, turns) }, (_, index) =>
    randomFaults(cast, seed, Math.ceil(fromMs / unrestEveryMs) + index),
  )
    .flat()
    .filter(({ controlPcbId, fromMs: at, toMs }) => {
      const board = of.get(controlPcbId)
      return toMs < nowMs - settledMs && at > (board?.attachedMs ?? nowMs) && toMs < (board?.silentSinceMs ?? nowMs)
    })
}

/** People who acknowledge warnings: the engineer of a system, and the office. */
export type Crew = { engineerOf: ReadonlyMap<string, string>; office: readonly string[] }

const notes = ['Seen on site', 'Known, works on the grid', 'Called the owner', 'Router restarted', 'Fan cleaned']
const ackShare: Record<Severity, number> = { CRITICAL: 1, WARNING: 0.9, INFO: 0.25 }

function acknowledged(
  random: Random,
  raisedMs: number,
  nowMs: number,
  severity: Severity,
  people: readonly (string | undefined)[],
): Row {
  const at = raisedMs + random.int(2, severity === 'CRITICAL' ? 40 : 300) * minuteMs
  const by = random.pick(people)
  const isDone = random.chance(nowMs - raisedMs < dayMs ? ackShare[severity] / 2 : ackShare[severity])
  const note = random.chance(0.15) ? random.pick(notes) : null
  if (!isDone || at >= nowMs || by === undefined) return { acknowledged: false }
  return { acknowledged: true, acknowledgedAt: new Date(at), acknowledgedBy: by, ackNote: note }
}

type Making = { random: Random; nowMs: number; crew: Crew; boards: ReadonlyMap<string, Cast> }

function warningOf({ random, nowMs, crew, boards }: Making, fault: BoardFault, outcome: Outcome): Row[] {
  const { code, severity, source, afterMs, tailMs, trip, measured } = outcome
  const raisedMs = fault.fromMs + afterMs
  const clearedMs = fault.toMs + tailMs
  const essId = boards.get(fault.controlPcbId)?.essId
  if (essId === undefined || raisedMs >= fault.toMs || clearedMs >= nowMs - settledMs) return []
  const [raisedAt, clearedAt] = [new Date(raisedMs), new Date(clearedMs)]
  const people = [crew.engineerOf.get(essId), ...crew.office].filter((one) => one !== undefined)
  const ack = acknowledged(random, raisedMs, nowMs, severity, people)
  const lastAt = ack.acknowledgedAt instanceof Date && ack.acknowledgedAt > clearedAt ? ack.acknowledgedAt : clearedAt
  return [
    {
      id: random.id(raisedAt),
      createdAt: raisedAt,
      updatedAt: lastAt,
      version: ack.acknowledged ? 3 : 2,
      code,
      severity,
      source,
      controlPcbId: fault.controlPcbId,
      essId,
      trip: trip ?? false,
      latched: false,
      value: measured?.value(random) ?? null,
      threshold: measured?.threshold ?? null,
      unit: measured?.unit ?? null,
      startedAt: new Date(fault.fromMs),
      raisedAt,
      lastSeenAt: clearedAt,
      clearedAt,
      occurrences: 1,
      active: false,
      suppressed: false,
      flapping: false,
      comments: [],
      ...ack,
    },
  ]
}

/** The warnings that came of faults and are over. */
export const pastWarnings = (making: Making, faults: readonly BoardFault[]): Row[] =>
  faults.flatMap((fault) => (outcomes[fault.kind] ?? []).flatMap((outcome) => warningOf(making, fault, outcome)))
