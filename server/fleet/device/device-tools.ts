import { sql } from 'kysely'
import { problem } from '#server/base/problems.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type Board, boardOfId, lockMemory } from '#server/fleet/ingest/board-context.ts'
import type { IngestTools } from '#server/fleet/ingest/ingest-frames.ts'
import { type AskedKey, keyWorks } from '#server/fleet/ingest/known-keys.ts'
import type { DeviceGuard } from './device-guard.ts'

/** Tools that the routes of boards share. */
export type DeviceTools = IngestTools & { guard: DeviceGuard }

/** Options of every board route: own rate limits, and a device key instead of a session. */
export const ofDevices = { access: 'public', deviceKey: true, countsItself: true, shed: 'first' } as const

/** The board of a valid key; throws 403 without one. */
export async function boardOfKey(db: Queryable, key: AskedKey): Promise<string> {
  const row = await rowOf(
    db,
    sql<{ id: string }>`select "k"."controlPcbId" as "id" from "deviceKey" "k" where ${keyWorks(key)}`,
  )
  if (!row) throw problem('device-key.unknown')
  return row.id
}

/** Runs work for a key's board in one transaction, serialised with its frames. */
export const withBoard = <T>(
  { context }: DeviceTools,
  key: AskedKey,
  work: (db: Queryable, board: Board) => Promise<T>,
): Promise<T> =>
  inTransaction(context.database, async (db) => {
    const known = await lockMemory(db, key)
    const board = known && (await boardOfId(db, known.controlPcbId))
    if (!board) throw problem('device-key.unknown')
    return work(db, board)
  })
