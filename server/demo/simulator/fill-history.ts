import { sql } from 'kysely'
import { dayMs, minuteMs } from '#schema/format/durations.ts'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { keepLastSample } from '#server/demo/past/board-state.ts'
import { countPackets } from '#server/demo/past/count-packets.ts'
import { dayWithoutHours, writeHours, writeYear } from '#server/demo/past/write-year.ts'
import type { StoredSample } from '#server/fleet/telemetry/insert-samples.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'
import { channelOf } from '#server/frames/channels.ts'
import { setDerived } from '#server/frames/derived-channels.ts'
import { activeFaults } from './faults.ts'
import { keepCheckpoints } from './load-fleet.ts'
import { dayOf } from './plant.ts'
import { moduleReadings, type Readings } from './readings.ts'
import type { Checkpoint } from './running-plant.ts'
import type { SimulatedBoard } from './simulated-board.ts'

/** Interval of historic samples in minutes. */
const stepMin = 5
/** Samples per transaction: the embedded engine serves no other client meanwhile. */
const atOnce = 300

/** Rounds as the wire format does. */
function roundedValues(readings: Readings): StoredSample['sample']['values'] {
  const entries = Object.entries(readings).map(([name, value]) => {
    const digits = channelOf(name)?.digits ?? 0
    return [name, typeof value === 'number' ? Number(value.toFixed(digits)) : value]
  })
  const values: Record<string, number | string | null> = Object.fromEntries(entries)
  setDerived(values)
  return values
}

/** A site: its main board, and all of its boards. */
type Filling = { board: SimulatedBoard; boards: readonly SimulatedBoard[]; toMs: number }

/** Runs a plant up to a moment, and answers what its main board would have reported meanwhile. */
function pastOf({ board, toMs }: Filling, keep: (checkpoint: Checkpoint) => void, seen: Last[]): StoredSample[] {
  const { facts, faults, operation } = board
  const { plant } = facts
  const circumstances = { operationAt: () => operation, faults }
  const samples: StoredSample[] = []
  while (plant.timeMs + stepMin * minuteMs <= toMs) {
    const { timeMs, readings } = plant.runTo(plant.timeMs + stepMin * minuteMs, circumstances, keep)
    const active = activeFaults(faults, timeMs)
    seen.push({ atMs: timeMs, readings })
    if (active.has('COMMS_LOSS') || active.has('GARBLED')) continue
    const at = new Date(timeMs)
    const sample = { at, quality: 'GOOD' as const, values: roundedValues(readings) }
    samples.push({
      controlPcbId: facts.id,
      essId: facts.essId,
      packageId: null,
      receivedAt: at,
      sample,
    })
  }
  return samples
}

/** Since when a board is where it is. */
async function attachedSince(db: Queryable, controlPcbId: string): Promise<number> {
  const found = await rowOf(
    db,
    sql<{ at: string | null }>`select max("attachedAt") as "at" from "control_pcb_attachment"
      where "controlPcbId" = ${controlPcbId} and "removedAt" is null`,
  )
  return found?.at ? Date.parse(found.at) : 0
}

/** When the silence began in which a board is at a moment. */
const silentSince = ({ faults }: SimulatedBoard, nowMs: number): number | null =>
  faults.find(({ kind, fromMs, toMs }) => (kind === 'COMMS_LOSS' || kind === 'GARBLED') && fromMs <= nowMs && nowMs < toMs)
    ?.fromMs ?? null

type Last = { atMs: number; readings: Readings }

/** The last sample of a site's main board and of its modules, each of the time at which it fell silent. */
async function keepStates(database: Database, { board, boards, toMs }: Filling, readings: readonly Last[]): Promise<void> {
  for (const one of boards) {
    const silentMs = silentSince(one, toMs)
    const last = readings.findLast(({ atMs }) => atMs <= (silentMs ?? toMs)) ?? readings[0]
    if (!last) continue
    const isMain = one === board
    const own = isMain ? last.readings : moduleReadings(last.readings, board.facts.plant.plant, one.facts.moduleIndex ?? 1)
    await keepLastSample(database.kysely, one.facts.id, roundedValues(own), silentMs === null ? new Date(last.atMs) : undefined)
  }
}

/**
 * Writes the past of a site: rolled rows of a year, samples since the start of `toDay`, the packets of a week, and the last sample of
 * each of its boards. Returns the number of samples.
 */
export async function fillHistory(database: Database, filling: Filling): Promise<number> {
  const { board, boards, toMs } = filling
  const { essId, plant } = board.facts
  const readings: Last[] = []
  const toDay = dayOf(plant.timeMs)
  const attachedMs = await attachedSince(database.kysely, board.facts.id)
  const before = await writeYear(database, { board, toDay, attachedMs, silentSinceMs: silentSince(board, toMs) })
  if (before) readings.push({ atMs: toDay * dayMs, readings: before })
  const checkpoints: (Checkpoint & { essId: string })[] = []
  const first = plant.checkpoint()
  if (first) checkpoints.push({ essId, ...first })
  const samples = pastOf(filling, (checkpoint) => void checkpoints.push({ essId, ...checkpoint }), readings)
  for (let at = 0; at < samples.length; at += atOnce)
    await inTransaction(database, (db) => telemetryStore.append(db, samples.slice(at, at + atOnce)))
  await inTransaction(database, async (db) => {
    for (const one of boards) await countPackets(db, one, { attachedMs, toMs })
  })
  await keepStates(database, filling, readings)
  await keepCheckpoints(database, checkpoints)
  return samples.length
}

/** Writes the hours of a site where its days are there without them, and answers whether they were. */
export async function fillHours(database: Database, board: SimulatedBoard, nowMs: number): Promise<boolean> {
  const toDay = await dayWithoutHours(database.kysely, board)
  if (toDay === undefined) return false
  const attachedMs = await attachedSince(database.kysely, board.facts.id)
  await writeHours(database, { board, toDay, attachedMs, silentSinceMs: silentSince(board, nowMs) })
  return true
}
