import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/db/connect.ts'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** Hours of several transactions. */
const silentDays = { embedded: 8, server: 30 } as const

describe.each(engines)('roll-ups beside a board with a late sample each second on $name', (engine) => {
  let server: BoardServer
  let flooder: TestBoard
  let other: TestBoard
  let seq: number
  let late: number
  beforeAll(async () => {
    server = await openBoardServer(engine, { ingest: { requestsPerMin: 1_000_000 } })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    server.pass(90 * 86_400)
    seq = 0
    late = 0
    ;[flooder, other] = [await server.addBoard(), await server.addBoard()]
    await send(flooder, server.now.getTime() - silentDays[server.database.kind] * day)
    await send(flooder, server.now.getTime())
    await rollUp(server.database, server.now)
  })

  const send = async (board: TestBoard, ms: number) => {
    const { body, text } = await server.send(
      { ...board, sentAtMs: server.now.getTime() },
      telemetryFrame({ pvEnergyWh: 1_000, loadEnergyWh: 1_000 + seq }, { seq: seq++, uid: board.uid, time: new Date(ms) }),
    )
    expect(body.accepted, text).toBe(1)
  }
  const flood = () => send(flooder, server.now.getTime() - 4 * hour - ++late * 1_000)
  const openOf = async ({ id }: TestBoard, table: 'Hour' | 'Day') => {
    const [row] = await server.rows<{ n: number }>(
      `select count(*)::int as "n" from "telemetryOpen${table}" where "controlPcbId" = '${id}'`,
    )
    return row?.n ?? 0
  }
  /** The database, before each of whose transactions something happens. */
  const beside = (happens: () => Promise<unknown>): Database => {
    const { kysely } = server.database
    const inTurn: Pick<typeof kysely, 'getExecutor'> & { transaction: () => unknown } = {
      getExecutor: () => kysely.getExecutor(),
      transaction: () => ({
        execute: async (work: Parameters<ReturnType<typeof kysely.transaction>['execute']>[0]) => {
          await happens()
          return kysely.transaction().execute(work)
        },
      }),
    }
    return Object.assign(Object.create(server.database), { kind: server.database.kind, kysely: inTurn })
  }

  it('end, and take no hour twice', async () => {
    await flood()
    const open = await openOf(flooder, 'Hour')
    expect(open).toBeGreaterThan(silentDays[server.database.kind] * 23)
    const { hours } = await rollUp(beside(flood), server.now)
    expect(hours).toBeLessThanOrEqual(open)
    expect(await openOf(flooder, 'Hour')).toBeGreaterThan(0)
  })

  it('come to the newest hours of others first', async () => {
    await flood()
    await send(other, server.now.getTime() - 3 * hour)
    const before: number[] = []
    await rollUp(
      beside(async () => before.push(await openOf(other, 'Hour'))),
      server.now,
    )
    expect(before.slice(0, 3)).toEqual([1, 0, 0])
  })

  it('come to the days of others', async () => {
    await send(other, server.now.getTime() - 3 * day)
    await flood()
    await rollUp(beside(flood), server.now)
    expect([await openOf(other, 'Hour'), await openOf(other, 'Day')]).toEqual([0, 0])
    const [rolled] = await server.rows(`select count(*)::int as "n" from "telemetry1d" where "controlPcbId" = '${other.id}'`)
    expect(rolled).toEqual({ n: 1 })
  })

  it('have everything of the board once it is quiet', async () => {
    for (let times = 0; times < 3; times += 1) await flood()
    await rollUp(beside(flood), server.now)
    await rollUp(server.database, new Date(server.now.getTime() + 2 * day))
    expect([await openOf(flooder, 'Hour'), await openOf(flooder, 'Day')]).toEqual([0, 0])
  })
})
