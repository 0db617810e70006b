import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { moveOn } from '#server/fleet/ingest/stream/positions.ts'
import { engines, openProductTables } from '#tests/support/databases.ts'

describe.each(engines)('the place up to which a stream is stored on $name', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await openProductTables(engine)
  })
  afterAll(() => database?.close())

  const at = (seq: number, partition = 1, stream = 'a') => ({ position: { stream, partition, seq } })
  const move = (...messages: ReturnType<typeof at>[]) => inTransaction(database, (db) => moveOn(db, messages))

  it('lets a message pass once, and each partition and incarnation of a stream on its own', async () => {
    const [first, repeated, other, fresh] = [at(7), at(7), at(3, 2), at(1, 1, 'b')]
    expect(await move(first)).toEqual(new Set([first]))
    expect(await move(repeated, other, fresh)).toEqual(new Set([other, fresh]))
    expect(await move(at(6))).toEqual(new Set())
    const next = at(8)
    expect(await move(next)).toEqual(new Set([next]))
  })

  it('is where it was when the transaction with the frames fails', async () => {
    const failing = inTransaction(database, async (db) => {
      await moveOn(db, [at(1, 9)])
      throw new Error('frames are not stored')
    })
    await expect(failing).rejects.toThrow('frames are not stored')
    const again = at(1, 9)
    expect(await move(again)).toEqual(new Set([again]))
  })

  it('holds no body back that came by no stream', async () => {
    const direct = { position: undefined }
    expect(await inTransaction(database, (db) => moveOn(db, [direct]))).toEqual(new Set([direct]))
  })
})
