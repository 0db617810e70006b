import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { StoredSample } from '#server/fleet/telemetry/insert-samples.ts'
import { rolledColumns } from '#server/fleet/telemetry/roll-up-sql.ts'
import { chartChannels } from '#server/fleet/telemetry/sample-columns.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'
import { channelOf } from '#server/frames/channels.ts'
import { engines, openProductTables } from '#tests/support/databases.ts'

const zone = 'UTC'
const begun = new Date('2026-03-02T10:00:00Z')
const now = new Date('2026-03-02T12:30:00Z')
const at = (minutes: number) => new Date(begun.getTime() + minutes * 60_000)
const channels = ['socPct', 'loadEnergyWh'].flatMap((name) => channelOf(name) ?? [])
const counters = channels.filter(({ name }) => name === 'loadEnergyWh')

/** Every store of samples has to pass these. */
describe.each(engines)('the store of samples on $name', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await openProductTables(engine)
    await telemetryStore.prepare(database, new Date('2025-12-20T00:00:00Z'), new Date('2026-04-01T00:00:00Z'))
  })
  afterAll(() => database?.close())

  const sampleOf = (controlPcbId: string, minutes: number, socPct = 50, packageId: string | null = null): StoredSample => {
    const values = { socPct, loadEnergyWh: 1_000 + minutes * 10 }
    const sample = { at: at(minutes), quality: 'GOOD' as const, values }
    return { controlPcbId, essId: null, packageId, receivedAt: at(minutes), sample }
  }
  const append = (...samples: StoredSample[]) => inTransaction(database, (db) => telemetryStore.append(db, samples))
  const segmentOf = (controlPcbId: string, fromMin: number, toMin: number) => ({
    controlPcbId,
    from: at(fromMin).toISOString(),
    to: at(toMin).toISOString(),
  })
  const linesOf = async (controlPcbId: string, fromMin = 0, toMin = 120) => {
    let text = ''
    const segments = [segmentOf(controlPcbId, fromMin, toMin)]
    for await (const piece of telemetryStore.samples(database, { segments, channels, zone })) text += piece
    return text.trimEnd().split('\r\n').slice(1)
  }
  const hoursOf = async (controlPcbId: string) => {
    const request = { from: begun, to: at(120), channels, bucket: { stepMs: 3_600_000 }, zone }
    const rows = await telemetryStore.series(database.kysely, { segments: [segmentOf(controlPcbId, 0, 120)], ...request })
    return rows.map(({ socPctAvg, loadEnergyWhSum }) => ({ socPctAvg, loadEnergyWhSum }))
  }

  it('gives back every sample once, in the order of time, whatever the order in which they came', async () => {
    const board = uuidv7()
    await append(sampleOf(board, 2), sampleOf(board, 0))
    await append(sampleOf(board, 1), sampleOf(board, 2, 99))
    const lines = await linesOf(board)
    expect(lines.map((line) => line.split(',')[0])).toEqual([0, 1, 2].map((minutes) => at(minutes).toISOString()))
    expect(lines[2]).toContain(',50,')
  })

  it('keeps nothing of a transaction that is rolled back', async () => {
    const board = uuidv7()
    const failing = inTransaction(database, async (db) => {
      await telemetryStore.append(db, [sampleOf(board, 0)])
      throw new Error('the frame is refused')
    })
    await expect(failing).rejects.toThrow('the frame is refused')
    expect(await linesOf(board)).toEqual([])
  })

  it('tells the same series before and after its hours are rolled up', async () => {
    const board = uuidv7()
    await append(...Array.from({ length: 120 }, (_, minute) => sampleOf(board, minute, minute < 60 ? 40 : 60)))
    const before = await hoursOf(board)
    expect((await telemetryStore.rollUp(database, now)).hours).toBeGreaterThanOrEqual(2)
    expect(await hoursOf(board)).toEqual(before)
    expect(before).toEqual([
      { socPctAvg: 40, loadEnergyWhSum: 590 },
      { socPctAvg: 60, loadEnergyWhSum: 600 },
    ])
  })

  it('opens an hour again for a sample that comes late', async () => {
    const board = uuidv7()
    await append(sampleOf(board, 0, 40))
    await telemetryStore.rollUp(database, now)
    await append(sampleOf(board, 30, 60))
    await telemetryStore.rollUp(database, now)
    expect((await hoursOf(board))[0]?.loadEnergyWhSum).toBe(300)
  })

  it('reopens the hours of a packet and leaves its samples out of them', async () => {
    const [board, packageId] = [uuidv7(), uuidv7()]
    await append(sampleOf(board, 0, 40), sampleOf(board, 1, 90, packageId))
    await telemetryStore.rollUp(database, now)
    const origin = { controlPcbId: board, packageId, receivedAt: at(1), zone }
    const gone = await inTransaction(database, (db) => telemetryStore.reopen(db, origin))
    await telemetryStore.rollUp(database, now)
    expect(gone).toEqual([at(1)])
    expect((await hoursOf(board))[0]?.socPctAvg).toBe(40)
  })

  it('knows the newest sample before a moment, and the first one in a segment', async () => {
    const board = uuidv7()
    await append(sampleOf(board, 5, 41), sampleOf(board, 6, 42))
    const asked = { controlPcbId: board, names: ['socPct'] }
    expect(await telemetryStore.latest(database.kysely, { ...asked, before: at(6) })).toMatchObject({ socPct: 41 })
    expect(await telemetryStore.latest(database.kysely, { ...asked, before: at(5) })).toBeUndefined()
    const found = await telemetryStore.first(database.kysely, [segmentOf(board, 0, 60), segmentOf(board, 60, 120)])
    expect(found.map(({ from, first }) => [from, first])).toEqual([[begun.toISOString(), at(5).toISOString()]])
  })

  it('takes rolled-up rows of a past without samples', async () => {
    const board = uuidv7()
    const rolled = { step: 'hour', controlPcbId: board, times: sql`${sql.val([begun.toISOString()])}::timestamptz[]` } as const
    const names = ['seconds', ...rolledColumns(chartChannels)]
    const row = names.map((name) => ({ seconds: 3_600, socPctAvg: 40, loadEnergyWhSum: 590 })[name] ?? null)
    await telemetryStore.appendRolled(database.kysely, { ...rolled, rows: [row] })
    const isRolled = async (before: Date) => {
      const asked = { step: 'hour', controlPcbId: sql`${board}::uuid`, before: sql`${before}::timestamptz` } as const
      return (await sql`select ${telemetryStore.relations.isRolled(asked)} as "is"`.execute(database.kysely)).rows
    }
    expect((await hoursOf(board))[0]).toEqual({ socPctAvg: 40, loadEnergyWhSum: 590 })
    expect(await Promise.all([isRolled(begun), isRolled(at(60))])).toEqual([[{ is: false }], [{ is: true }]])
  })

  it('adds the growth of counters up by owner, over several boards', async () => {
    const [one, other] = [uuidv7(), uuidv7()]
    await append(sampleOf(one, 0), sampleOf(one, 10), sampleOf(other, 20), sampleOf(other, 50))
    const segments = [one, other].map((board) => ({ owner: 'site', ...segmentOf(board, 0, 60) }))
    expect(await telemetryStore.growth(database.kysely, segments, counters)).toEqual([{ owner: 'site', loadEnergyWh: 400 }])
  })

  it('drops months that are over, but for the segments that are kept', async () => {
    const [kept, lost] = [uuidv7(), uuidv7()]
    const old = Math.round((new Date('2025-12-24T00:00:00Z').getTime() - begun.getTime()) / 60_000)
    await append(sampleOf(kept, old, 33), sampleOf(lost, old))
    const moments: Date[] = []
    await telemetryStore.prune(database, now, async (before) => {
      moments.push(before)
      await telemetryStore.keep(database.kysely, [segmentOf(kept, old, old + 1)])
      await telemetryStore.keep(database.kysely, [segmentOf(kept, old, old + 1)])
    })
    const countOf = async (board: string) => {
      const span = {
        controlPcbId: sql`${board}::text`,
        startsAt: sql`${at(old)}::timestamptz`,
        endsAt: sql`${begun}::timestamptz`,
      }
      const rows = await sql`select "socPct" from ${telemetryStore.relations.samplesIn(span)} as "s"`.execute(database.kysely)
      return rows.rows
    }
    expect(moments).toEqual([new Date('2026-01-01T00:00:00Z')])
    expect(await countOf(kept)).toEqual([{ socPct: 33 }])
    expect(await countOf(lost)).toEqual([])
  })
})
