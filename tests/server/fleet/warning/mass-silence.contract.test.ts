import type { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { watchServerRules } from '#server/fleet/warning/watch-server-rules.ts'
import type { BoardServer, TestBoard } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'
import { WarnedBoard } from '#tests/support/warned-board.ts'

/** Counts the statements of a database. */
function counted<T>(db: Kysely<T>): { db: Kysely<T>; count: () => number } {
  let count = 0
  const counting = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      count += 1
      return result
    },
  })
  return { db: counting, count: () => count }
}

describe.each(engines)('the silence of many boards on $name', (engine) => {
  let server: BoardServer
  let boards: TestBoard[]
  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.rows('delete from "boardState"')
    await server.rows('delete from "telemetry_warning"')
    await server.rows('delete from "warningNotice"')
    boards = []
  })

  const grow = async (count: number) => {
    for (let index = 0; index < count; index++) boards.push(await server.addBoard())
  }
  const idsOf = () => boards.map(({ id }) => `'${id}'`).join()
  const silentFor = (time: string) =>
    server.rows(`insert into "boardState" ("controlPcbId", "lastPacketAt", "lastValidPacketAt")
      select "id", now() - interval '${time}', now() - interval '${time}' from "control_pcb" where "id" in (${idsOf()})
      on conflict ("controlPcbId") do update set "lastPacketAt" = excluded."lastPacketAt", "lastValidPacketAt" = excluded."lastValidPacketAt"`)
  const statements = async () => {
    const { db, count } = counted(server.database.kysely)
    await watchServerRules({ ...server.database, kysely: db }, server.now)
    return count()
  }
  const lost = () =>
    server.rows<{ controlPcbId: string; active: boolean; occurrences: number; suppressed: boolean }>(
      `select "controlPcbId", "active", "occurrences", "suppressed" from "telemetry_warning" where "code" = 'COMM_LOST'`,
    )
  const of = (rows: readonly { controlPcbId: string }[]) => rows.map(({ controlPcbId }) => controlPcbId).toSorted()

  it('costs as many statements as that of one, when it begins and when it ends', async () => {
    await grow(1)
    await silentFor('30 min')
    const raising = await statements()
    await silentFor('0 s')
    const clearing = await statements()
    expect(of(await lost())).toEqual(of(boards.map(({ id }) => ({ controlPcbId: id }))))

    await server.rows('delete from "telemetry_warning"')
    await grow(39)
    await silentFor('30 min')
    expect(await statements()).toBe(raising)
    expect(of((await lost()).filter(({ active }) => active))).toEqual(of(boards.map(({ id }) => ({ controlPcbId: id }))))
    expect(await server.rows('select 1 from "warningNotice"')).toHaveLength(41)
    await silentFor('0 s')
    expect(await statements()).toBe(clearing)
    expect((await lost()).filter(({ active }) => active)).toEqual([])
  })

  it('costs as many statements as that of one, too, when it is back within ten minutes', async () => {
    const back = async () => {
      await silentFor('30 min')
      await statements()
      await silentFor('0 s')
      await statements()
      await silentFor('30 min')
      return statements()
    }
    await grow(1)
    const one = await back()
    await server.rows('delete from "telemetry_warning"')
    await grow(19)
    expect(await back()).toBe(one)
    expect((await lost()).map(({ active, occurrences }) => [active, occurrences])).toEqual(boards.map(() => [true, 2]))
  })

  it('is told for each board: its health, its place in the list and its live events', async () => {
    await grow(3)
    await silentFor('30 min')
    await server.rows('delete from "event"')
    await statements()
    const told = await server.rows<{ id: string }>('select "entityId" as "id" from "event"')
    const warnings = await server.rows<{ id: string }>('select "id" from "telemetry_warning"')
    const ids = [...warnings, ...boards, ...boards.map(({ essId }) => ({ id: essId }))].map(({ id }) => id)
    expect(told.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
    for (const { id } of boards) expect((await server.call('GET', `control-pcb/${id}`)).body).toMatchObject({ openWarnings: 1 })
  })

  it('goes on where it was over lately, begins where it is new, and is muted where people are', async () => {
    await grow(3)
    const [first, , third] = boards
    const until = new Date(server.now.getTime() + 3_600_000).toISOString()
    await server.call('PUT', `ess/${third?.essId}/maintenance`, { body: { until, reason: 'new fan' } })
    await server.rows(`insert into "boardState" ("controlPcbId", "lastPacketAt", "lastValidPacketAt")
      values ('${first?.id}', now() - interval '30 min', now() - interval '30 min')`)
    await statements()
    await server.rows('update "boardState" set "lastValidPacketAt" = now()')
    await statements()
    await server.rows('delete from "warningNotice"')
    await silentFor('30 min')
    await statements()
    const found = new Map((await lost()).map((one) => [one.controlPcbId, one]))
    expect(boards.map(({ id }) => found.get(id))).toMatchObject([
      { active: true, occurrences: 2, suppressed: false },
      { active: true, occurrences: 1, suppressed: false },
      { active: true, occurrences: 1, suppressed: true },
    ])
    expect(await server.rows('select 1 from "warningNotice"')).toHaveLength(2)
  })
})
