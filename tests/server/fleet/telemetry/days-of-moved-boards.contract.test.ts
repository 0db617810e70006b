import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inSchemaChange } from '#server/db/migrate.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { daysOfSites, openByOneRule } from '#server/fleet/telemetry/days/day-steps.ts'
import { exportBuckets } from '#server/fleet/telemetry/export-buckets.ts'
import { insertSamples } from '#server/fleet/telemetry/insert-samples.ts'
import { ensurePartitions } from '#server/fleet/telemetry/monthly-partitions.ts'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import { subjectOf } from '#server/fleet/telemetry/telemetry-subject.ts'
import { channelOf } from '#server/frames/channels.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'

const minute = 60_000
const hour = 60 * minute
/** Midnight in Berlin. */
const start = new Date('2026-10-19T22:00:00Z')
const move = new Date('2026-10-22T08:00:07Z')
const end = new Date('2026-10-24T22:00:00Z')

describe.each(engines)('the days of a board that moves on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: start })
    await ensurePartitions(server.database, start, end)
  })
  afterAll(() => server.close())

  /** A system that has no board yet. */
  const systemIn = async (timezone: string) => {
    const { essId, id } = await server.addBoard({ timezone })
    await server.rows(`delete from "control_pcb_attachment" where "controlPcbId" = '${id}'`)
    await server.rows(`update "control_pcb" set "essId" = null, "role" = null where "id" = '${id}'`)
    return essId
  }
  const attach = async (essId: string | null, { id }: TestBoard) => {
    const answer = await server.call('POST', `ess/${essId}/attach-control-pcb`, { body: { controlPcbId: id, role: 'MAIN' } })
    expect([answer.status, answer.text]).toEqual([200, answer.text])
  }
  const remove = async (essId: string | null, { id }: TestBoard) => {
    const body = { controlPcbId: id, reason: 'moved away' }
    const answer = await server.call('DELETE', `ess/${essId}/remove-control-pcb`, { body })
    expect([answer.status, answer.text]).toEqual([204, ''])
  }

  /** A sample every five minutes; the site uses 1 Wh a minute. */
  const store = async (board: TestBoard, from: Date, to: Date) => {
    const facts = { controlPcbId: board.id, essId: null, packageId: null, receivedAt: to }
    const first = Math.ceil(from.getTime() / (5 * minute)) * 5 * minute
    const rows = Array.from({ length: Math.ceil((to.getTime() - first) / (5 * minute)) }, (_, index) => {
      const at = new Date(first + index * 5 * minute)
      return { ...facts, sample: { at, quality: 'GOOD' as const, values: { loadEnergyWh: at.getTime() / minute } } }
    })
    await inTransaction(server.database, (db) => insertSamples(db, rows))
  }
  const report = async (board: TestBoard, from: Date, to: Date) => {
    await store(board, from, to)
    server.setNow(to)
    await rollUp(server.database, to)
  }
  const over = () => rollUp(server.database, new Date(end.getTime() + 26 * hour))

  const steps = {
    '5m': { stepMs: 5 * minute },
    '1h': { stepMs: hour },
    '1d': { days: 1 },
    month: { days: 31, isMonth: true },
  } as const
  const load = channelOf('loadEnergyWh')
  const range = { from: new Date('2026-10-01T00:00:00Z'), to: new Date('2026-11-01T00:00:00Z') }
  type Asked = { controlPcbId: string } | { essId: string | null }
  const exported = async (asked: Asked, step: keyof typeof steps) => {
    const subject = await subjectOf(server.database, { ...asked, essId: 'essId' in asked ? String(asked.essId) : undefined })
    const lines: string[] = []
    const request = { ...subject, ...range, channels: load ? [load] : [], bucket: steps[step] }
    for await (const text of exportBuckets(server.database, request)) lines.push(...text.trim().split('\r\n'))
    return lines
      .slice(1)
      .map((line) => line.split(','))
      .map((cells) => cells.slice(0, -1))
      .filter((cells) => cells.at(-1) !== '')
  }
  const days = async (asked: Asked) =>
    Object.fromEntries((await exported(asked, '1d')).map((cells) => [cells[1]?.slice(5), Number(cells[2])]))
  const sums = async (asked: Asked) => {
    const found: Record<string, number> = {}
    for (const step of ['5m', '1h', '1d', 'month'] as const)
      found[step] = (await exported(asked, step)).reduce((sum, cells) => sum + Number(cells.at(-1)), 0)
    return found
  }
  const same = (wh: number) => ({ '5m': wh, '1h': wh, '1d': wh, month: wh })

  it('count for the system until the board is removed, though it goes on sending', async () => {
    const [board, berlin] = [await server.addBoard({ ess: false }), await systemIn('Europe/Berlin')]
    server.setNow(start)
    await attach(berlin, board)
    await report(board, start, move)
    await remove(berlin, board)
    await report(board, move, end)
    for (const step of ['before the days are rolled up', 'and after']) {
      // The first sample of all has no growth; the last hour of the system's day ends with the row of 08:00 UTC.
      expect([step, await days({ essId: berlin })]).toEqual([step, { '10-20': 1_435, '10-21': 1_440, '10-22': 605 }])
      expect([step, await days({ controlPcbId: board.id })]).toEqual([
        step,
        { '10-20': 1_435, '10-21': 1_440, '10-22': 1_440, '10-23': 1_440, '10-24': 1_440 },
      ])
      expect([step, await sums({ essId: berlin })]).toEqual([step, same(3_480)])
      await over()
    }
  })

  it.each([
    ['Asia/Kolkata', { '10-22': 625, '10-23': 1_440, '10-24': 1_440, '10-25': 210 }],
    ['America/New_York', { '10-22': 1_195, '10-23': 1_440, '10-24': 1_080 }],
  ])('end at a direct swap to %s', async (zone, ofNext) => {
    const [board, berlin, next] = [await server.addBoard({ ess: false }), await systemIn('Europe/Berlin'), await systemIn(zone)]
    server.setNow(start)
    await attach(berlin, board)
    await report(board, start, move)
    await over()
    await remove(berlin, board)
    await attach(next, board)
    await report(board, move, end)
    for (const step of ['before the days are rolled up', 'and after']) {
      expect([step, await days({ essId: berlin })]).toEqual([step, { '10-20': 1_435, '10-21': 1_440, '10-22': 605 }])
      expect([step, await days({ essId: next })]).toEqual([step, ofNext])
      expect([step, await sums({ controlPcbId: board.id })]).toEqual([step, same(7_195)])
      await over()
    }
  })

  it('are those of the first site also before the board was attached there', async () => {
    const [board, berlin] = [await server.addBoard({ ess: false }), await systemIn('Europe/Berlin')]
    await report(board, start, move)
    await over()
    await attach(berlin, board)
    await report(board, move, end)
    for (const step of ['before the days are rolled up', 'and after']) {
      expect([step, await days({ controlPcbId: board.id })]).toEqual([
        step,
        { '10-20': 1_435, '10-21': 1_440, '10-22': 1_440, '10-23': 1_440, '10-24': 1_440 },
      ])
      expect([step, await days({ essId: berlin })]).toEqual([step, { '10-22': 835, '10-23': 1_440, '10-24': 1_440 }])
      expect([step, await sums({ essId: berlin })]).toEqual([step, same(3_715)])
      await over()
    }
  })

  it('are the same when frames from before and after the move come late', async () => {
    const [board, berlin] = [await server.addBoard({ ess: false }), await systemIn('Europe/Berlin')]
    const kolkata = await systemIn('Asia/Kolkata')
    const [dayBefore, dayAfter] = [new Date(move.getTime() - 20 * hour), new Date(move.getTime() + 20 * hour)]
    server.setNow(start)
    await attach(berlin, board)
    await report(board, start, dayBefore)
    server.setNow(move)
    await remove(berlin, board)
    await attach(kolkata, board)
    await report(board, dayAfter, end)
    await report(board, dayBefore, dayAfter)
    await over()
    expect(await days({ essId: berlin })).toEqual({ '10-20': 1_435, '10-21': 1_440, '10-22': 605 })
    expect(await days({ essId: kolkata })).toEqual({ '10-22': 625, '10-23': 1_440, '10-24': 1_440, '10-25': 210 })
    expect(await sums({ controlPcbId: board.id })).toEqual(same(7_195))
  })

  it('are rolled up again by the release that ends them, where they counted twice', async () => {
    const board = await server.addBoard()
    const [now, begun] = [new Date(), new Date(Date.now() - 5 * 24 * hour)]
    await server.rows(`update "control_pcb_attachment" set "attachedAt" = '${new Date(now.getTime() - 50 * hour).toISOString()}'
      where "controlPcbId" = '${board.id}'`)
    await ensurePartitions(server.database, begun, now)
    await report(board, begun, now)
    const grown = async (table: string) => {
      const rows = await server.rows<{ wh: number }>(
        `select sum("loadEnergyWhSum")::float8 as "wh" from "${table}" where "controlPcbId" = '${board.id}'
          and "ts" < '${new Date(now.getTime() - 50 * hour).toISOString()}'`,
      )
      return rows[0]?.wh
    }
    const sound = await grown('telemetry1d')
    // Not by whole steps: such a row would be one that is there at some hours of a day.
    await server.rows(`insert into "telemetry1d" ("controlPcbId", "ts", "seconds", "loadEnergyWhSum")
      select "controlPcbId", "ts" - interval '3 hours 2 minutes', "seconds", "loadEnergyWhSum" from "telemetry1d" where "controlPcbId" = '${board.id}'`)
    expect(await grown('telemetry1d')).not.toBe(sound)
    await inSchemaChange(server.database, daysOfSites)
    await rollUp(server.database, now)
    expect([await grown('telemetry1d'), await grown('telemetry5m')]).toEqual([sound, sound])
  })

  /** A board that reported for three days without a site, and was attached half an hour ago by a release that left its open day of UTC. */
  const attachedByOlder = async () => {
    const [now, board, tehran] = [new Date(), await server.addBoard({ ess: false }), await systemIn('Asia/Tehran')]
    const attachedAt = new Date(now.getTime() - 30 * minute)
    const day = new Date(Math.floor(now.getTime() / (24 * hour)) * 24 * hour)
    await ensurePartitions(server.database, new Date(now.getTime() - 3 * 24 * hour), new Date(now.getTime() + 2 * 24 * hour))
    await report(board, new Date(now.getTime() - 3 * 24 * hour), attachedAt)
    server.setNow(attachedAt)
    await attach(tehran, board)
    await rollUp(server.database, now)
    await server.rows(`delete from "telemetryOpenDay" where "controlPcbId" = '${board.id}'`)
    await server.rows(`delete from "telemetry1d" where "controlPcbId" = '${board.id}'`)
    await server.rows(
      `insert into "telemetryOpenDay" values ('${board.id}', '${day.toISOString()}', '${day.toISOString()}'::timestamptz + interval '1 day')`,
    )
    // Not by whole steps: such a row would be one that is there at some hours of a day.
    await server.rows(`insert into "telemetry1d" ("controlPcbId", "ts", "seconds", "loadEnergyWhSum")
      select "controlPcbId", date_trunc('day', "ts", 'UTC'), sum("seconds"), sum("loadEnergyWhSum") from "telemetry5m"
        where "controlPcbId" = '${board.id}' and "ts" < '${day.toISOString()}' group by 1, 2`)
    return { board, now }
  }
  const grownOf = async ({ id }: TestBoard) => {
    const sums = ['telemetry5m', 'telemetry1h', 'telemetry1d'].map((table) =>
      server.rows<{ wh: number }>(
        `select sum("loadEnergyWhSum")::float8 as "wh" from "${table}" where "controlPcbId" = '${id}'`,
      ),
    )
    return (await Promise.all(sums)).map(([row]) => row?.wh)
  }

  it('are counted once where an older release left an open day of another zone', async () => {
    const { board, now } = await attachedByOlder()
    await inSchemaChange(server.database, openByOneRule)
    const later = new Date(now.getTime() + 26 * hour)
    await report(board, new Date(now.getTime() - 30 * minute), later)
    await rollUp(server.database, new Date(later.getTime() + 26 * hour))
    const [rows, hours, days] = await grownOf(board)
    expect([hours, days]).toEqual([rows, rows])
  })

  it('give way to those of the rule when frames come into an open day of another zone', async () => {
    const { board, now } = await attachedByOlder()
    await store(board, new Date(now.getTime() - 30 * minute), now)
    const overlaps =
      await server.rows(`select 1 from "telemetryOpenDay" "o" join "telemetryOpenDay" "p" on "p"."controlPcbId" = "o"."controlPcbId"
      and "p"."day" > "o"."day" and "p"."day" < "o"."until" where "o"."controlPcbId" = '${board.id}'`)
    expect(overlaps).toEqual([])
    const { wh } = (
      await server.rows<{ wh: number }>(`select sum("r"."loadEnergyWhSum")::float8 as "wh" from "telemetryOpenDay" "d"
      join "telemetry5m" "r" on "r"."controlPcbId" = "d"."controlPcbId" and "r"."ts" >= "d"."day" and "r"."ts" < "d"."until"
      where "d"."controlPcbId" = '${board.id}' and "r"."ts" >= date_trunc('day', '${now.toISOString()}'::timestamptz, 'UTC')`)
    )[0] ?? { wh: 0 }
    const [row] = await server.rows<{ wh: number }>(`select sum("loadEnergyWhSum")::float8 as "wh" from "telemetry5m"
      where "controlPcbId" = '${board.id}' and "ts" >= date_trunc('day', '${now.toISOString()}'::timestamptz, 'UTC')`)
    expect(wh).toBe(row?.wh)
  })
})
