import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import { observeSamples } from '#server/fleet/warning/observe-samples.ts'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { type TelemetryValues, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { bitsOf } from '#tests/support/warned-board.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = new Date('2026-03-02T03:00:00Z')
const count = 240

/** Numbers that are random and the same each time. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return Math.floor((state / 2 ** 32) * below)
  }
}

function shuffled<T>(values: readonly T[], random: (below: number) => number): T[] {
  const left = [...values]
  return values.flatMap(() => left.splice(random(left.length), 1))
}

type Event = { eventFlags: number; raisedFlags: number; clearedFlags: number; subject: string | null }
type Reported = { time: Date; seq: number; values: TelemetryValues; event?: Event }

/** Flags that rise and fall between two samples: what stays until it is cleared, and what ends by itself. */
const [contactor, fuse, door] = [bitsOf('CONTACTOR_FAULT'), bitsOf('FUSE_OPEN'), bitsOf('DOOR_OPEN')]
const events: readonly Event[] = [
  { eventFlags: contactor, raisedFlags: contactor, clearedFlags: 0, subject: 'm3/c07' },
  { eventFlags: 0, raisedFlags: 0, clearedFlags: contactor, subject: 'm3/c07' },
  { eventFlags: door, raisedFlags: door, clearedFlags: 0, subject: null },
  { eventFlags: 0, raisedFlags: 0, clearedFlags: door, subject: null },
  { eventFlags: 0, raisedFlags: fuse, clearedFlags: fuse, subject: 'm1/c02' },
]

/** Half a day of a board: a sample every three minutes, counters not in every frame, events, a restart, a silence; glitches read 0. */
function reports(seed: number, glitches: boolean): Reported[] {
  const random = randomOf(seed)
  const [silent, restart] = [60 + random(40), 140 + random(40)]
  const found: Reported[] = []
  const eventsFrom = 10 + random(40)
  let [load, solar, frames] = [5_000_000, 900_000, 0]
  const place = (index: number, afterMs: number) => {
    const seq = (index < restart ? 65_500 : 7) + frames++
    return { time: new Date(start.getTime() + index * 3 * minute + afterMs), seq: seq & 0xffff }
  }
  for (let index = 0; index < count; index++) {
    load += random(300)
    solar += random(200)
    if (index >= silent && index < silent + 12) continue
    const isZero = glitches && index > 37 && index % 37 > 0 && index % 37 < 3
    const loadEnergyWh = isZero ? 0 : random(4) === 0 ? null : load
    const values = {
      loadEnergyWh,
      pvEnergyWh: index % 3 === 0 ? solar : null,
      loadPowerW: random(5_000),
      socPct: 40 + index / 10,
    }
    const rebootCount = index < restart ? 3 : 4
    found.push({ ...place(index, 0), values: { ...values, rebootCount } })
    const event = events[index - eventsFrom]
    if (event) found.push({ ...place(index, minute), values: { rebootCount }, event })
  }
  return found
}

describe.each(oneEngine(import.meta.filename))('what boards send on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: start, ingest: { requestsPerMin: 1_000_000, observers: [observeSamples] } })
  })
  afterAll(() => server.close())

  const frameOf = ({ uid }: TestBoard, { time, seq, values, event }: Reported) =>
    event
      ? encodeFrame({
          type: 'EVENT',
          seq,
          uid,
          time,
          values: { firmwareVersion: '2.1.3', transport: 'LTE', rebootCount: values.rebootCount ?? null, ...event },
        })
      : telemetryFrame(values, { time, seq, uid })
  const post = async (board: TestBoard, frames: readonly Buffer[]) => {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/device/v1/frames',
      headers: {
        'content-type': 'application/octet-stream',
        'x-device-key': board.key,
        'x-sent-at': String(server.now.getTime()),
      },
      payload: Buffer.concat(frames),
    })
    expect([answer.statusCode, answer.json<{ invalid: number }>().invalid]).toEqual([202, 0])
  }

  const live = async (board: TestBoard, all: readonly Reported[]) => {
    for (const [index, one] of all.entries()) {
      server.setNow(new Date(one.time.getTime() + 800))
      await post(board, [frameOf(board, one)])
      if (index % 20 === 19) await rollUp(server.database, server.now)
    }
  }

  /** In any order but for the newest, in requests of any size, some of it twice, over a time of up to thirty days. */
  const anyhow = async (board: TestBoard, all: readonly Reported[], seed: number) => {
    const random = randomOf(seed)
    const [backlog, news] = [all.slice(0, -3), all.slice(-3)]
    const again = all.filter(() => random(5) === 0)
    const frames = [...shuffled([...backlog, ...again.filter((one) => !news.includes(one))], random), ...news].map((one) =>
      frameOf(board, one),
    )
    let at = start.getTime() + count * 3 * minute
    const most = start.getTime() + 30 * day
    while (frames.length > 0) {
      server.setNow(new Date(at))
      await post(board, frames.splice(0, 1 + random(12)))
      if (random(6) === 0) await rollUp(server.database, server.now)
      at = Math.min(most, at + random(2 * day))
    }
  }

  const round = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value)
  const stored = async (table: string, { id }: TestBoard, leftOut: readonly string[]) => {
    const rows = await server.rows(`select * from "${table}" where "controlPcbId" = '${id}' order by "ts"`)
    return rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).flatMap(([name, value]) => (leftOut.includes(name) ? [] : [[name, round(value)]])),
      ),
    )
  }
  const grown = async (table: string, { id }: TestBoard) => {
    const [row] = await server.rows<{ wh: number }>(
      `select sum("loadEnergyWhSum")::float8 as "wh" from "${table}" where "controlPcbId" = '${id}'`,
    )
    return row?.wh
  }
  /** Received frames, each once; a repeated one has no row of its own. */
  const packages = ({ id }: TestBoard) =>
    server.rows(`select "type", "seq", "deviceTime", count(*)::int as "times" from "package"
      where "controlPcbId" = '${id}' and "status" <> 'DUPLICATE' group by 1, 2, 3 order by 3`)
  /** Warnings that stay until a person clears them; others tell of the present only. */
  const lasting = ({ id }: TestBoard) =>
    server.rows(`select "code", "subject", "startedAt", "active" from "telemetry_warning"
      where "controlPcbId" = '${id}' and "latched" order by "code"`)
  const own = ['controlPcbId', 'essId', 'packageId', 'receivedAt']

  it.each([
    [1, false],
    [2, false],
    [3, true],
    [4, true],
  ])(
    'comes to the same rows and sums live and in any order, split, repeated and delayed by up to 30 days (seed %i, glitches %s)',
    async (seed, glitches) => {
      const all = reports(seed, glitches)
      const [first, second] = [await server.addBoard(), await server.addBoard()]
      await live(first, all)
      await anyhow(second, all, seed)
      await rollUp(server.database, new Date(start.getTime() + 31 * day))
      // A glitch is doubted by what came before it: in another order other values are, and the growth between shows in another row.
      const counters = glitches ? ['loadEnergyWh', 'loadEnergyWhSum', 'quality'] : []
      for (const table of ['telemetry', 'telemetry5m', 'telemetry1h', 'telemetry1d'])
        expect([table, await stored(table, second, [...own, ...counters])]).toEqual([
          table,
          await stored(table, first, [...own, ...counters]),
        ])
      expect(await packages(second)).toEqual(await packages(first))
      expect((await packages(first)).filter(({ type }) => type === 'EVENT')).toHaveLength(events.length)
      expect(await lasting(second)).toEqual(await lasting(first))
      expect(await lasting(first)).toMatchObject([
        { code: 'CONTACTOR_FAULT', subject: 'm3/c07', active: true },
        { code: 'FUSE_OPEN', subject: 'm1/c02', active: true },
      ])
      const known = all.flatMap(({ values: { loadEnergyWh } }) =>
        typeof loadEnergyWh === 'number' && loadEnergyWh > 0 ? [loadEnergyWh] : [],
      )
      const growth = (known.at(-1) ?? 0) - (known[0] ?? 0)
      for (const table of ['telemetry5m', 'telemetry1h', 'telemetry1d'])
        expect([await grown(table, first), await grown(table, second)]).toEqual([growth, growth])
    },
    120_000,
  )
})
