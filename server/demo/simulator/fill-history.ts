import { sql } from 'kysely'
import { hourMs, minuteMs } from '#schema/format/durations.ts'
import type { Database } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { insertSamples, type StoredSample } from '#server/fleet/telemetry/insert-samples.ts'
import { channelOf } from '#server/frames/channels.ts'
import { activeFaults } from './faults.ts'
import { keepCheckpoints } from './load-fleet.ts'
import type { Readings } from './readings.ts'
import type { Checkpoint, RunningPlant } from './running-plant.ts'
import type { SimulatedBoard } from './simulated-board.ts'

/** Minutes between two samples of the past. */
const stepMin = 5
/** Samples per transaction: the embedded engine serves no other client meanwhile. */
const atOnce = 300

/** Rounded as it would have been on the wire. */
function roundedValues(readings: Readings): StoredSample['sample']['values'] {
  const entries = Object.entries(readings).map(([name, value]) => {
    const digits = channelOf(name)?.digits ?? 0
    return [name, typeof value === 'number' ? Number(value.toFixed(digits)) : value]
  })
  const values: Record<string, number | string | null> = Object.fromEntries(entries)
  const [low, high] = [values.cellVoltageMinMv, values.cellVoltageMaxMv]
  return { ...values, cellDeltaMv: typeof low === 'number' && typeof high === 'number' ? high - low : null }
}

type Filling = { board: SimulatedBoard; plant: RunningPlant; toMs: number }

/** Runs a plant up to a moment, and answers what its main board would have reported meanwhile. */
function pastOf({ board, plant, toMs }: Filling, keep: (checkpoint: Checkpoint) => void): StoredSample[] {
  const { facts, faults, operation } = board
  const circumstances = { operationAt: () => operation, faults }
  const samples: StoredSample[] = []
  while (plant.timeMs + stepMin * minuteMs <= toMs) {
    const { timeMs, readings } = plant.runTo(plant.timeMs + stepMin * minuteMs, circumstances, keep)
    const active = activeFaults(faults, timeMs)
    if (active.has('COMMS_LOSS') || active.has('GARBLED')) continue
    const at = new Date(timeMs)
    const sample = { at, quality: 'GOOD' as const, values: roundedValues(readings) }
    samples.push({
      controlPcbId: facts.id,
      essId: facts.essId,
      packageId: null,
      receivedAt: at,
      zone: plant.plant.timezone,
      sample,
    })
  }
  return samples
}

/** Counts the packets that would have brought the samples, hour by hour. */
async function countPackets({ kysely }: Database, samples: readonly StoredSample[]): Promise<void> {
  const hours = new Map<string, number>()
  for (const { receivedAt } of samples) {
    const hour = new Date(Math.floor(receivedAt.getTime() / hourMs) * hourMs).toISOString()
    hours.set(hour, (hours.get(hour) ?? 0) + 1)
  }
  const controlPcbId = samples[0]?.controlPcbId
  if (controlPcbId === undefined) return
  await sql`insert into "packageHour" ("controlPcbId", "hour", "valid")
    select ${controlPcbId}::text, "u"."hour", "u"."valid" from unnest(${sql.val([...hours.keys()])}::timestamptz[],
      ${sql.val([...hours.values()])}::int4[]) as "u" ("hour", "valid")
    on conflict ("controlPcbId", "hour") do update set "valid" = "packageHour"."valid" + excluded."valid"`.execute(kysely)
}

/** Stores the samples of a main board from the plant's state until now. Returns their number. */
export async function fillHistory(database: Database, filling: Filling): Promise<number> {
  const checkpoints: (Checkpoint & { essId: string })[] = []
  const { essId } = filling.board.facts
  const first = filling.plant.checkpoint()
  if (first) checkpoints.push({ essId, ...first })
  const samples = pastOf(filling, (checkpoint) => void checkpoints.push({ essId, ...checkpoint }))
  for (let at = 0; at < samples.length; at += atOnce)
    await inTransaction(database, (db) => insertSamples(db, samples.slice(at, at + atOnce)))
  await countPackets(database, samples)
  await keepCheckpoints(database, checkpoints)
  return samples.length
}
