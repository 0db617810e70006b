import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { insertSamples } from '#server/fleet/telemetry/insert-samples.ts'
import { ensurePartitions } from '#server/fleet/telemetry/monthly-partitions.ts'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import type { SeriesAnswer } from '#server/fleet/telemetry/series-answer.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

describe.each(engines)('the days of a site whose time zone was wrong on $name', (engine) => {
  let server: BoardServer
  const now = new Date('2026-03-12T12:00:00Z')
  const first = new Date('2026-03-08T00:00:00Z')
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: now })
    await ensurePartitions(server.database, first, now)
  })
  afterAll(() => server.close())

  /** A sample every quarter of an hour, whose counter grows by another amount each time. */
  const fill = async (board: TestBoard) => {
    await server.rows(`insert into "boardState" ("controlPcbId", "reportIntervalS") values ('${board.id}', 900)`)
    const facts = { controlPcbId: board.id, essId: board.essId, packageId: null, receivedAt: now }
    const count = (now.getTime() - first.getTime()) / (hourMs / 4)
    const rows = Array.from({ length: count }, (_, index) => ({
      ...facts,
      sample: {
        at: new Date(first.getTime() + (index * hourMs) / 4),
        quality: 'GOOD' as const,
        values: { loadEnergyWh: index * index, loadPowerW: index },
      },
    }))
    await inTransaction(server.database, (db) => insertSamples(db, rows))
    await rollUp(server.database, now)
  }
  const days = async (board: TestBoard, subject = `essId=${board.essId}`) => {
    const range = `from=${new Date(first.getTime() - 2 * dayMs).toISOString()}&to=${new Date(now.getTime() + 60 * dayMs).toISOString()}`
    const path = `telemetry?${subject}&${range}&channel=loadEnergyWh&channel=loadPowerW`
    const { body } = await server.call<SeriesAnswer>('GET', path)
    return { zone: body.zone, ...body.series.loadEnergyWh, power: body.series.loadPowerW?.avg }
  }
  const move = async ({ essId }: TestBoard, timezone: string) => {
    const path = `ess/${essId}`
    const { body } = await server.call<{ version: number; location: object }>('GET', path)
    const change = { version: body.version, location: { ...body.location, timezone } }
    const answer = await server.call('PUT', path, { body: change })
    expect([answer.status, answer.text]).toEqual([200, answer.text])
  }

  it.each(['America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'])('are those of %s once it is corrected', async (zone) => {
    const [wrong, right] = [await server.addBoard({ timezone: 'Europe/Berlin' }), await server.addBoard({ timezone: zone })]
    await fill(wrong)
    await fill(right)
    const expected = await days(right)
    expect(expected.avg?.filter((value) => value !== null).length).toBeGreaterThanOrEqual(5)
    await move(wrong, zone)
    expect(await days(wrong)).toEqual(expected)
    await rollUp(server.database, now)
    expect(await days(wrong)).toEqual(expected)
  })

  const attachedAt = (board: TestBoard, at: string) =>
    server.rows(`update "control_pcb_attachment" set "attachedAt" = '${at}' where "controlPcbId" = '${board.id}'`)

  it('are corrected also before the board was attached: it may have kept samples from before', async () => {
    const zone = 'America/New_York'
    const [wrong, right] = [await server.addBoard({ timezone: 'Europe/Berlin' }), await server.addBoard({ timezone: zone })]
    for (const board of [wrong, right]) await attachedAt(board, '2026-03-12T06:00:00Z')
    await fill(wrong)
    await fill(right)
    const ofBoard = (board: TestBoard) => days(board, `controlPcbId=${board.id}`)
    const expected = await ofBoard(right)
    await move(wrong, zone)
    expect(await ofBoard(wrong)).toEqual(expected)
    await rollUp(server.database, now)
    expect(await ofBoard(wrong)).toEqual(expected)
  })

  it('are left alone where they belong to the site before', async () => {
    const [board, before] = [
      await server.addBoard({ timezone: 'Europe/Berlin' }),
      await server.addBoard({ timezone: 'Europe/Berlin' }),
    ]
    await attachedAt(board, '2026-03-11T12:00:00Z')
    await server.rows(`insert into "control_pcb_attachment" ("id", "controlPcbId", "essId", "role", "attachedAt", "removedAt")
      values ('${board.id}-before', '${board.id}', '${before.essId}', 'MAIN', '2026-01-01', '2026-03-10T06:00:00Z')`)
    await fill(board)
    await move(board, 'America/New_York')
    await rollUp(server.database, now)
    const starts = await server.rows<{ ts: string }>(
      `select "ts" from "telemetry1d" where "controlPcbId" = '${board.id}' order by "ts"`,
    )
    // A day ends where the board comes or goes: what it measured counts once.
    expect(starts.map(({ ts }) => ts.slice(5, 13))).toEqual([
      '03-07T23',
      '03-08T23',
      '03-09T23',
      '03-10T06',
      '03-11T04',
      '03-11T12',
    ])
  })

  it('are exported with their dates, and so are months', async () => {
    const board = await server.addBoard({ timezone: 'Europe/Berlin' })
    await fill(board)
    await server.rows(`insert into "telemetry1d" ("controlPcbId", "ts", "seconds", "loadEnergyWhSum")
      values ('${board.id}', '2026-01-30T23:00:00Z', 86400, 7), ('${board.id}', '2026-01-31T23:00:00Z', 86400, 11)`)
    const lines = async (resolution: string, from: string) => {
      const range = `from=${from}&to=2026-03-12T12:00:00Z`
      const path = `telemetry/export?controlPcbId=${board.id}&${range}&resolution=${resolution}&channel=loadEnergyWh`
      return (await server.call('GET', path)).text.trim().split('\r\n')
    }
    // The counter is the square of the quarters of an hour since the first midnight of UTC; Berlin is an hour ahead.
    const upTo = (hours: number) => (hours * 4 - 1) ** 2
    expect(await lines('1d', '2026-03-10T12:00:00Z')).toEqual([
      'time (UTC),date (Europe/Berlin),loadEnergyWh (Wh),estimated (%)',
      `2026-03-09T23:00:00.000Z,2026-03-10,${upTo(71) - upTo(47)},0`,
      `2026-03-10T23:00:00.000Z,2026-03-11,${upTo(95) - upTo(71)},0`,
      `2026-03-11T23:00:00.000Z,2026-03-12,${upTo(108) - upTo(95)},0`,
    ])
    expect(await lines('month', '2026-01-15T12:00:00Z')).toEqual([
      'time (UTC),date (Europe/Berlin),loadEnergyWh (Wh),estimated (%)',
      '2025-12-31T23:00:00.000Z,2026-01,7,0',
      '2026-01-31T23:00:00.000Z,2026-02,11,0',
      `2026-02-28T23:00:00.000Z,2026-03,${upTo(108)},0`,
    ])
  })

  it('keep their dates and values where nothing finer is kept', async () => {
    const board = await server.addBoard({ timezone: 'Europe/Berlin' })
    const olds = ['2024-01-09T23:00:00Z', '2024-01-10T23:00:00Z', '2024-01-11T23:00:00Z']
    await server.rows(`update "control_pcb_attachment" set "attachedAt" = '2023-01-01' where "controlPcbId" = '${board.id}'`)
    for (const [index, ts] of olds.entries())
      await server.rows(
        `insert into "telemetry1d" ("controlPcbId", "ts", "seconds", "loadEnergyWhSum") values ('${board.id}', '${ts}', 86400, ${index})`,
      )
    const stored = () =>
      server.rows(
        `select "ts", "loadEnergyWhSum" as "wh" from "telemetry1d" where "controlPcbId" = '${board.id}' order by "ts"`,
      )
    await move(board, 'Pacific/Auckland')
    expect(await stored()).toEqual([
      { ts: '2024-01-09T11:00:00.000Z', wh: 0 },
      { ts: '2024-01-10T11:00:00.000Z', wh: 1 },
      { ts: '2024-01-11T11:00:00.000Z', wh: 2 },
    ])
    await move(board, 'Pacific/Honolulu')
    expect(await stored()).toMatchObject([{ ts: '2024-01-10T10:00:00.000Z', wh: 0 }, { wh: 1 }, { wh: 2 }])
  })
})
