import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { watchConnections } from '#server/fleet/board/watch-connections.ts'
import { observeReconnect } from '#server/fleet/ingest/observe-reconnect.ts'
import { followConnections, keepAttention } from '#server/fleet/shared/keep-attention.ts'
import { observeSamples } from '#server/fleet/warning/observe-samples.ts'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { troubles, WarnedBoard } from '#tests/support/warned-board.ts'

const day = 86_400_000
const places = ['control-pcb', 'ess'] as const

// Silence is told by the database's clock, so the server's is moved into the past while frames come.
describe.each(oneEngine(import.meta.filename))('the order of attention on $name', (engine) => {
  let server: BoardServer
  const fleet = new Map<string, WarnedBoard>()
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: new Date(), ingest: { observers: [observeSamples, observeReconnect] } })
  })
  afterAll(() => server.close())

  const add = async (name: string) => {
    const board = new WarnedBoard(server, await server.addBoard())
    fleet.set(name, board)
    return board
  }
  const boardOf = (name: string): WarnedBoard => {
    const board = fleet.get(name)
    if (!board) throw new Error(`no board is called ${name}`)
    return board
  }
  let seq = 0
  const speak = async (name: string, agoMs = 0) => {
    const { board } = boardOf(name)
    server.setNow(new Date(Date.now() - agoMs))
    const { status } = await server.send(board, telemetryFrame({}, { seq: ++seq, time: server.now, uid: board.uid }))
    expect(status).toBe(202)
    server.setNow(new Date())
  }
  const look = () => keepAttention(server.database)

  /** The names in the order of a list that nobody has sorted. */
  const orderOf = async (resource: (typeof places)[number]) => {
    const { body } = await server.call<{ id: string }[]>('GET', `${resource}?_end=100`)
    const key = resource === 'ess' ? 'essId' : 'id'
    const names = new Map([...fleet].map(([name, { board }]) => [board[key], name]))
    return body.map(({ id }) => names.get(id))
  }
  const expectOrder = async (expected: readonly string[]) => {
    for (const resource of places) expect(await orderOf(resource), resource).toEqual(expected)
  }

  it('puts what is severe first, then what is silent longest, and what nobody sees or uses any more last', async () => {
    for (const name of ['healthy A', 'retired', 'never seen', 'unseen', 'short silent', 'long silent', 'warned', 'critical'])
      await add(name)
    await add('healthy B')
    await speak('unseen', 91 * day)
    await speak('long silent', 3 * day)
    await speak('short silent', 20 * 60_000)
    for (const name of ['healthy A', 'healthy B', 'retired']) await speak(name)
    const { board: retired } = boardOf('retired')
    await server.rows(`update "control_pcb" set "lifecycle" = 'RETIRED' where "id" = '${retired.id}'`)
    await server.rows(`update "ess" set "lifecycle" = 'DECOMMISSIONED' where "id" = '${retired.essId}'`)
    await boardOf('critical').see(0, troubles.insulation)
    await boardOf('warned').see(0, troubles.door)
    await boardOf('warned').see(61, troubles.door)
    server.setNow(new Date())
    await look()
    await expectOrder([
      'critical',
      'warned',
      'long silent',
      'short silent',
      'healthy A',
      'healthy B',
      'unseen',
      'never seen',
      'retired',
    ])
  })

  it('follows at once when a warning ends and when a silent board speaks again', async () => {
    const { id } = await boardOf('critical').only()
    expect((await boardOf('critical').act('clear', id, { note: 'the cable is dry again' })).status).toBe(200)
    await speak('long silent')
    await expectOrder([
      'warned',
      'short silent',
      'healthy A',
      'long silent',
      'critical',
      'healthy B',
      'unseen',
      'never seen',
      'retired',
    ])
    await boardOf('warned').see(90, {})
    server.setNow(new Date())
    await speak('never seen')
    await expectOrder([
      'short silent',
      'healthy A',
      'never seen',
      'long silent',
      'warned',
      'critical',
      'healthy B',
      'unseen',
      'retired',
    ])
  })

  it('follows at the next look when a board falls silent, and when it has not been seen for too long', async () => {
    const sentAgo = (name: string, ago: string) =>
      server.rows(`update "boardState" set "lastPacketAt" = now() - interval '${ago}', "lastValidPacketAt" = now() - interval '${ago}'
        where "controlPcbId" = '${boardOf(name).board.id}'`)
    await sentAgo('healthy B', '1 hour')
    await sentAgo('short silent', '91 days')
    await look()
    await expectOrder([
      'healthy B',
      'healthy A',
      'never seen',
      'long silent',
      'warned',
      'critical',
      'unseen',
      'short silent',
      'retired',
    ])
  })

  const placeOf = async (name: string) => {
    const { board } = boardOf(name)
    const [row] = await server.rows(`select "t"."attention" as "board", "e"."attention" as "system" from "control_pcb" "t"
      join "ess" "e" on "e"."id" = "t"."essId" where "t"."id" = '${board.id}'`)
    return row
  }
  /** Recent findings are checked again for a minute. */
  const later = () => new Date(Date.now() + 120_000)
  const follow = async () => {
    const now = new Date()
    await watchConnections(server.database, now)
    await followConnections(server.database, now)
  }

  it('follows the boards that are found to have fallen silent, and whom nobody has placed, at the price of these', async () => {
    await follow()
    const speaking = await placeOf('long silent')
    await server.rows(`update "boardState" set "lastValidPacketAt" = now() - interval '2 hours'
      where "controlPcbId" = '${boardOf('long silent').board.id}'`)
    await followConnections(server.database, later())
    expect(await placeOf('long silent'), 'nobody has found it silent yet').toEqual(speaking)
    await follow()
    const silent = await placeOf('long silent')
    expect(silent).not.toEqual(speaking)
    await look()
    expect(await placeOf('long silent'), 'a look at everything says the same').toEqual(silent)
    await server.rows(`update "control_pcb" set "attention" = null; update "ess" set "attention" = null`)
    await followConnections(server.database, new Date())
    expect(await placeOf('long silent')).toEqual(silent)
    await speak('long silent')
    await follow()
    expect(await placeOf('long silent')).toEqual(speaking)
  })

  if (engine.name === 'PostgreSQL')
    it('waits for no row that a person holds, and comes back to it', async () => {
      const { board } = boardOf('long silent')
      const speaking = await placeOf('long silent')
      await server.rows(
        `update "boardState" set "lastValidPacketAt" = now() - interval '2 hours' where "controlPcbId" = '${board.id}'`,
      )
      await inTransaction(server.database, async (db) => {
        await rowsOf(db, sql`select 1 from "control_pcb" where "id" = ${board.id} for update`)
        await follow()
        expect((await placeOf('long silent'))?.board).toEqual(speaking?.board)
      })
      await follow()
      expect((await placeOf('long silent'))?.board).not.toEqual(speaking?.board)
      await speak('long silent')
      await follow()
    })

  if (engine.name === 'PostgreSQL')
    it('comes back to what a warning could not move, since a person held it', async () => {
      const held = await add('held')
      await held.see(0, {})
      await follow()
      // It has been online for long: this is not why it is looked at.
      await server.rows(`update "boardConnection" set "since" = "since" - interval '1 hour'`)
      const calm = await placeOf('held')
      await inTransaction(server.database, async (db) => {
        await rowsOf(db, sql`select 1 from "ess" where "id" = ${held.board.essId} for update`)
        await rowsOf(db, sql`select 1 from "control_pcb" where "id" = ${held.board.id} for update`)
        await held.see(1, troubles.insulation)
      })
      expect(await placeOf('held'), 'the warning waits for nobody').toEqual(calm)
      await followConnections(server.database, new Date())
      const moved = await placeOf('held')
      expect([moved?.board, moved?.system]).not.toContain(calm?.board)
      await look()
      expect(await placeOf('held')).toEqual(moved)
    })

  it('follows at once when a system is given up', async () => {
    const { board } = boardOf('healthy A')
    const { body } = await server.call<{ version: number }>('GET', `control-pcb/${board.id}`)
    const changed = { version: body.version, lifecycle: 'RETIRED' }
    expect((await server.call('PUT', `control-pcb/${board.id}`, { body: changed })).status).toBe(200)
    expect((await orderOf('control-pcb')).slice(-2)).toEqual(['healthy A', 'retired'])
  })

  it('is no change of a record, and writes nothing while nothing changes', async () => {
    const state = () =>
      server.rows(`select "id", "version", "updatedAt", "attention", xmin::text as "written" from "control_pcb" union all
        select "id", "version", "updatedAt", "attention", xmin::text from "ess" order by "id"`)
    const before = await state()
    await look()
    await speak('warned')
    expect(await state()).toEqual(before)
    await server.rows(`update "boardState" set "lastValidPacketAt" = now() - interval '1 hour'
      where "controlPcbId" = '${boardOf('warned').board.id}'`)
    await look()
    const bare = (rows: Record<string, unknown>[]) => rows.map(({ attention: _, written: __, ...row }) => row)
    const after = await state()
    expect(after).not.toEqual(before)
    expect(bare(after)).toEqual(bare(before))
  })

  it('is sorted by and nothing else: no record carries it, no filter, file or form knows it', async () => {
    for (const resource of [...places, 'telemetry-warning']) {
      const { status, body: rows } = await server.call<{ id: string }[]>('GET', `${resource}?_sort=attention&_order=asc`)
      expect([status, rows.length > 0]).toEqual([200, true])
      const record = await server.call('GET', `${resource}/${rows[0]?.id}`)
      for (const row of [rows[0], record.body]) expect(row).not.toHaveProperty('attention')
      expect((await server.call('GET', `${resource}?attention_gte=0`)).status).toBe(400)
    }
    const { board } = boardOf('warned')
    const { body } = await server.call<{ version: number }>('GET', `ess/${board.essId}`)
    const written = { version: body.version, attention: 0 }
    expect((await server.call('PUT', `ess/${board.essId}`, { body: written })).status).toBe(400)
  })
})
