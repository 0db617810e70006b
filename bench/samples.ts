import { inTransaction } from '#server/db/transaction.ts'
import { insertSamples } from '#server/fleet/telemetry/insert-samples.ts'
import { ensurePartitions } from '#server/fleet/telemetry/monthly-partitions.ts'
import type { Sample } from '#server/frames/frame-decoder.ts'
import { healthy } from '#tests/server/frames/sample-frames.ts'
import type { BoardServer, TestBoard } from '#tests/support/board-server.ts'

const minute = 60_000
const atOnce = 1_440

/** A different value every minute, so that no column compresses to its first row. */
function sampleAt(from: Date, index: number): Pick<Sample, 'at' | 'quality' | 'values'> {
  const wave = Math.sin(index / 220)
  const values = {
    ...healthy,
    socPct: Math.round(550 + 400 * wave) / 10,
    batteryPowerW: Math.round(2_000 * Math.cos(index / 220)),
    cellVoltageMaxMv: 3_280 + Math.round(60 * wave),
    cellTempMaxC: Math.round(230 + 60 * Math.sin(index / 1_440)) / 10,
    pvEnergyWh: 9_000_000 + index * 7,
    uptimeS: index * 60,
  }
  return { at: new Date(from.getTime() + index * minute), quality: 'GOOD', values }
}

/** A sample a minute over whole days. Answers how many a second were stored. */
export async function fillDays(
  { database }: BoardServer,
  { id, essId }: TestBoard,
  { from, days }: { from: Date; days: number },
): Promise<number> {
  const count = days * 1_440
  const receivedAt = new Date(from.getTime() + count * minute)
  const started = performance.now()
  await ensurePartitions(database, from, receivedAt)
  for (let first = 0; first < count; first += atOnce) {
    const rows = Array.from({ length: atOnce }, (_, step) => sampleAt(from, first + step))
    const facts = { controlPcbId: id, essId, packageId: null, receivedAt }
    await inTransaction(database, (db) =>
      insertSamples(
        db,
        rows.map((sample) => ({ ...facts, sample })),
      ),
    )
  }
  return count / ((performance.now() - started) / 1_000)
}
