import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { clientToday } from '#server/fleet/dashboard/client-today.ts'
import { insertSamples } from '#server/fleet/telemetry/insert-samples.ts'
import { ensurePartitions } from '#server/fleet/telemetry/monthly-partitions.ts'
import { readSeries } from '#server/fleet/telemetry/read-series.ts'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import { subjectOf } from '#server/fleet/telemetry/telemetry-subject.ts'
import { channelOf } from '#server/frames/channels.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'

const minute = 60_000
const hour = 60 * minute
/** Midnight in Moscow. */
const start = new Date('2026-03-01T21:00:00Z')
const at = (hours: number) => new Date(start.getTime() + hours * hour)
const channels = ['pvEnergyWh', 'loadEnergyWh'].flatMap((name) => channelOf(name) ?? [])

type Counted = readonly (readonly [hours: number, loadEnergyWh: number | null])[]

describe.each(engines)('a silence of a board on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: at(30) })
    await ensurePartitions(server.database, at(-24), at(96))
  })
  afterAll(() => server.close())

  const store = async (board: TestBoard, counted: Counted, quality: 'GOOD' | 'ESTIMATED' = 'GOOD') => {
    const facts = { controlPcbId: board.id, essId: board.essId, packageId: null, receivedAt: server.now }
    const rows = counted.map(([hours, loadEnergyWh]) => ({
      ...facts,
      sample: { at: at(hours), quality, values: { loadEnergyWh, loadPowerW: 1_000 } },
    }))
    await inTransaction(server.database, (db) => insertSamples(db, rows))
  }
  /** A sample every five minutes that counts 1 Wh a minute. */
  const steady = (from: number, to: number, base = 10_000): Counted =>
    Array.from({ length: Math.round((to - from) * 12) }, (_, index) => [from + index / 12, base + index * 5])

  type Subject = { controlPcbId: string } | { essId: string }
  const read = async (asked: Subject, bucket: { stepMs: number } | { days: number }, from = at(-24), to = at(96)) => {
    const subject = await subjectOf(server.database, { controlPcbId: undefined, essId: undefined, ...asked })
    const rows = await readSeries(server.database.kysely, { ...subject, channels, from, to, bucket })
    return rows.filter(({ loadEnergyWhSum }) => loadEnergyWhSum !== null)
  }
  const days = async (asked: Subject) =>
    (await read(asked, { days: 1 })).map(({ t, loadEnergyWhSum, gapSeconds }) => [
      (t - start.getTime()) / (24 * hour),
      loadEnergyWhSum,
      gapSeconds,
    ])
  const rolled = () => rollUp(server.database, at(200))

  it('shares over its hours and days what the counters grew by, and says so', async () => {
    const board = await server.addBoard()
    // Silent from 17:55 until 05:55 of the next day: 12 h in which 12 kWh were used, half of them on each day.
    await store(board, [...steady(0, 18), ...steady(29 + 11 / 12, 32, 10_000 + 215 * 5 + 12_000)])
    for (const step of ['from samples', 'rolled up']) {
      const [first, second, ...others] = await days({ controlPcbId: board.id })
      // 17:55 to midnight are 6 h 5 min of it.
      expect([step, first, second, others]).toEqual([
        step,
        [0, 1_075 + Math.floor((12_000 * 73) / 144), 21_900],
        [1, 12_000 - Math.floor((12_000 * 73) / 144) + 120, 21_300],
        [],
      ])
      const hours = await read({ controlPcbId: board.id }, { stepMs: hour }, at(18), at(30))
      expect(hours.map(({ loadEnergyWhSum }) => loadEnergyWhSum)).toEqual([...Array(11).fill(1_000), 917])
      expect(hours.every(({ first: measured }, index) => (index < 11 ? measured === null : measured !== null))).toBe(true)
      await rolled()
    }
  })

  it('ends with the first sample of a right clock, also when its hours were rolled up after those of a wrong one', async () => {
    const board = await server.addBoard()
    await store(board, steady(0, 10))
    await store(board, steady(14, 14 + 1 / 12), 'ESTIMATED')
    await rollUp(server.database, at(14.1))
    await store(board, steady(14 + 1 / 12, 16, 10_000 + 169 * 5))
    for (const step of ['half rolled up', 'rolled up']) {
      const hours = await read({ controlPcbId: board.id }, { stepMs: hour }, at(9), at(15))
      // A sample counts the five minutes before it, and the silence begins with five of the hour of its last one.
      expect([step, ...hours.map(({ loadEnergyWhSum }) => loadEnergyWhSum)]).toEqual([step, 65, 60, 60, 60, 60, 55])
      await rolled()
    }
  })

  it('leaves the shares of a day that it is most of unknown, and marks the day', async () => {
    const board = await server.addBoard()
    const whole = steady(0, 24).map(([hours, wh]) => [hours, wh] as const)
    await store(board, [...whole, [44, 10_000 + 44 * 60], ...steady(44 + 1 / 12, 48, 10_005 + 44 * 60)])
    await server.rows(`update "telemetry" set "gridImportEnergyWh" = "loadEnergyWh" / 5 where "controlPcbId" = '${board.id}'`)
    await rolled()
    const range = `from=${start.toISOString()}&to=${at(48).toISOString()}`
    const path = `telemetry/export?controlPcbId=${board.id}&${range}&resolution=1d&channel=loadEnergyWh&channel=gridImportEnergyWh`
    const [head, ...lines] = (await server.call('GET', path)).text.trim().split('\r\n')
    expect(head?.split(',').slice(-2)).toEqual(['estimated (%)', 'selfSufficiency (%)'])
    // From 23:55 of the first day to 20:00 of the second: 5 min and 20 h.
    expect(lines.map((line) => line.split(',').slice(-2))).toEqual([
      ['0', '80'],
      ['83', ''],
    ])
  })

  it('counts from midnight only for the client', async () => {
    const board = await server.addBoard()
    await store(board, [
      [20, 50_000],
      [33, 63_000],
    ])
    const sites = [{ id: String(board.essId), zone: 'Europe/Moscow', ownerSince: null }]
    expect((await clientToday(server.database, sites, at(33.1))).get(String(board.essId))?.loadWh).toBe(9_000)
    await rolled()
    expect((await clientToday(server.database, sites, at(33.1))).get(String(board.essId))?.loadWh).toBe(9_000)
  })

  it('is shared also when the counter is in a later frame only', async () => {
    const board = await server.addBoard()
    await store(board, [
      [1, 50_000],
      [11, null],
    ])
    await rolled()
    await store(board, [[11.05, 60_000]])
    for (const _ of ['from samples', 'rolled up']) {
      const hours = await read({ controlPcbId: board.id }, { stepMs: hour })
      expect(hours.map(({ t, loadEnergyWhSum }) => [(t - start.getTime()) / hour, loadEnergyWhSum])).toEqual([
        ...Array.from({ length: 10 }, (_hour, index) => [index + 1, 1_000]),
        [11, 0],
      ])
      await rolled()
    }
  })

  it('leaves nothing estimated once late frames fill it', async () => {
    const [late, live] = [await server.addBoard(), await server.addBoard()]
    const all = steady(0, 60)
    await store(late, [...all.slice(0, 100), ...all.slice(-100)])
    await rolled()
    await store(late, all.slice(300, 320))
    await rolled()
    for (const part of [all.slice(400), all.slice(100, 200), all.slice(200, 400)]) await store(late, part)
    await store(live, all)
    await rolled()
    for (const table of ['telemetry5m', 'telemetry1h', 'telemetry1d']) {
      const rows = ({ id }: TestBoard) =>
        server.rows(
          `select "ts", "loadEnergyWhSum", "seconds", "gapSeconds" from "${table}" where "controlPcbId" = '${id}' order by 1`,
        )
      expect(await rows(late)).toEqual(await rows(live))
    }
  })

  it('in which a board was moved counts for each system by its time there', async () => {
    const board = await server.addBoard()
    const next = await server.addBoard()
    await server.rows(`delete from "control_pcb_attachment" where "controlPcbId" = '${next.id}'`)
    await server.rows(
      `update "control_pcb_attachment" set "removedAt" = '${at(10).toISOString()}' where "controlPcbId" = '${board.id}'`,
    )
    await server.rows(`insert into "control_pcb_attachment" ("id", "controlPcbId", "essId", "role", "attachedAt")
      values ('${board.id}-next', '${board.id}', '${next.essId}', 'MAIN', '${at(34).toISOString()}')`)
    await store(board, [...steady(8, 10), ...steady(34 + 1 / 12, 36, 50_000)])
    for (const step of ['from samples', 'rolled up']) {
      const sum = async (asked: Subject) =>
        (await read(asked, { stepMs: hour })).reduce((wh, { loadEnergyWhSum }) => wh + (loadEnergyWhSum ?? 0), 0)
      // It stood for five minutes of 24 h 10 min at either one, and somewhere else in between.
      const grown = 50_000 - 10_115
      expect([step, await sum({ essId: String(board.essId) }), await sum({ essId: String(next.essId) })]).toEqual([
        step,
        115 + Math.floor((grown * 5) / 1450),
        110 + grown - Math.floor((grown * 1445) / 1450),
      ])
      expect([step, await sum({ controlPcbId: board.id })]).toEqual([step, 50_110 - 10_000])
      await rolled()
    }
  })

  // Samples tell the minutes without a system, rows of five minutes belong to where they begin.
  it.each([
    { removed: [12, 1], attached: [12, 4], minutes: { 'from samples': 3, 'rolled up': 0 } },
    { removed: [12, 4], attached: [12, 6], minutes: { 'from samples': 2, 'rolled up': 5 } },
    { removed: [12, 1], attached: [12, 7], minutes: { 'from samples': 6, 'rolled up': 5 } },
    { removed: [12, 0], attached: [12, 10], minutes: { 'from samples': 10, 'rolled up': 10 } },
    { removed: [20, 55], attached: [21, 10], minutes: { 'from samples': 5, 'rolled up': 5 } },
  ] as const)('stays with a system from which the board is taken from $removed to $attached', async (move) => {
    const board = await server.addBoard()
    const clock = ([hours, minutes]: readonly [number, number]) =>
      new Date(at(hours).getTime() + minutes * minute).toISOString()
    await server.rows(
      `update "control_pcb_attachment" set "removedAt" = '${clock(move.removed)}' where "controlPcbId" = '${board.id}'`,
    )
    await server.rows(`insert into "control_pcb_attachment" ("id", "controlPcbId", "essId", "role", "attachedAt")
      values ('${board.id}-next', '${board.id}', '${board.essId}', 'MAIN', '${clock(move.attached)}')`)
    // Silent from 08:55 until 21:00, for 145 times five minutes.
    await store(board, [...steady(6, 9), ...steady(21, 23, 10_175 + 14_500)])
    for (const step of ['from samples', 'rolled up'] as const) {
      const sum = (rows: Awaited<ReturnType<typeof read>>, name: 'loadEnergyWhSum' | 'gapSeconds') =>
        rows.reduce((total, row) => total + (row[name] ?? 0), 0)
      const [own, all] = [{ essId: String(board.essId) }, { controlPcbId: board.id }]
      // Of the sample at 21:05.
      const measured = move.removed[0] > 12 ? 5 : 0
      for (const bucket of [{ stepMs: hour }, { days: 1 }]) {
        const [site, whole] = [await read(own, bucket), await read(all, bucket)]
        const [grown, silentS] = [175 + 14_500 + 115, 145 * 300]
        expect([step, sum(whole, 'loadEnergyWhSum'), sum(whole, 'gapSeconds')]).toEqual([step, grown, silentS])
        const lost = move.minutes[step]
        expect([step, sum(site, 'loadEnergyWhSum'), sum(site, 'gapSeconds')]).toEqual([
          step,
          grown - lost * 20 - measured,
          silentS - lost * 60,
        ])
      }
      const hours = await read(all, { stepMs: hour }, at(9), at(21))
      expect(hours.map(({ loadEnergyWhSum }) => loadEnergyWhSum)).toEqual(Array(12).fill(1_200))
      await rolled()
    }
  })
})
