import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { configurationFields } from '#resources/shared/configuration.ts'
import { longestDebugMin } from '#schema/server-reasons.ts'
import { defaultConfiguration } from '#server/fleet/configuration/configuration-rules.ts'
import { endDebug } from '#server/fleet/configuration/end-debug.ts'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { damagedWhere, withTrigger } from '#tests/support/with-trigger.ts'

type Values = Record<string, unknown>
type Answer = { state: string; desired: Values; desiredVersion: number; history: Values[] }

const first = { ...defaultConfiguration(configurationFields), logLevel: 'INFO', gridExportLimitW: 3_000 }
const reason = 'debug-ended'

describe.each(oneEngine(import.meta.filename))('DEBUG at a board on $name', (engine) => {
  let server: BoardServer
  let board: TestBoard
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: new Date() })
  })
  afterAll(() => server?.close())
  beforeEach(async () => {
    board = await server.addBoard()
    await server.rows(`insert into "configuration" ("controlPcbId", "version", "desired", "requestedAt")
      values ('${board.id}', 1, '${JSON.stringify(first)}', '${server.now.toISOString()}')`)
  })

  const path = () => `control-pcb/${board.id}/configuration`
  const current = async () => (await server.call<Answer>('GET', path())).body
  const wish = async (change: Values) => {
    const { desired, desiredVersion } = await current()
    const { status, text } = await server.call('PUT', path(), {
      body: { baseVersion: desiredVersion, desired: { ...desired, ...change } },
    })
    expect(status, text).toBe(200)
  }
  const end = () => endDebug(server.database, server.now)
  const minutes = (count: number) => server.pass(count * 60)

  it('ends after an hour with the level before it, by one new version that changes nothing else', async () => {
    await wish({ logLevel: 'DEBUG' })
    minutes(longestDebugMin - 1)
    await end()
    expect(await current()).toMatchObject({ desiredVersion: 2, desired: { logLevel: 'DEBUG' } })
    minutes(1)
    await end()
    await end()
    const { desired, desiredVersion, history, state } = await current()
    expect([desiredVersion, desired, state]).toEqual([3, first, 'PENDING'])
    expect(history[0]).toMatchObject({ version: 3, reason, requestedBy: null, requestedAt: server.now.toISOString() })
  })

  it('is told to the board like any other wish, and to who looks at it', async () => {
    await wish({ logLevel: 'DEBUG' })
    const { version } = (await server.call('GET', `control-pcb/${board.id}`)).body
    minutes(longestDebugMin)
    await end()
    const configuration = JSON.parse(JSON.stringify((await current()).desired))
    const values = { configVersion: 3, result: 'APPLIED', configuration }
    const uid = board.uid
    await server.send(board, encodeFrame({ type: 'CONFIG_ACK', seq: 1, uid, time: server.now, values }))
    expect((await current()).state).toBe('IN_SYNC')
    const events = await server.rows(`select "version", "type" from "event" where "entityId" = '${board.id}'
      and "version" > ${Number(version)} order by "id" limit 1`)
    expect(events).toEqual([{ version: Number(version) + 1, type: 'updated' }])
    const trail = await server.rows(
      `select "action", "actorId", "before", "after", "reason" from "auditLog" where "entityId" = '${board.id}' and "action" = 'end-debug'`,
    )
    expect(trail).toEqual([
      { action: 'end-debug', actorId: null, before: { logLevel: 'DEBUG' }, after: { logLevel: 'INFO' }, reason },
    ])
  })

  it('ends at the other boards although one of them fails, whose failure is told', async () => {
    const broken = board.id
    await wish({ logLevel: 'DEBUG' })
    board = await server.addBoard()
    await server.rows(`insert into "configuration" ("controlPcbId", "version", "desired", "requestedAt")
      values ('${board.id}', 1, '${JSON.stringify(first)}', '${server.now.toISOString()}')`)
    await wish({ logLevel: 'DEBUG' })
    minutes(longestDebugMin)
    const damaged = { table: 'configuration', at: 'before insert', act: damagedWhere(`new."controlPcbId" = '${broken}'`) }
    await withTrigger(server, damaged, () => expect(end()).rejects.toThrow(`board ${broken} failed`))
    expect(await current()).toMatchObject({ desiredVersion: 3, desired: { logLevel: 'INFO' } })
    expect(await end()).toBe(1)
  })

  it('is ended once, also by two servers at the same moment', async () => {
    await wish({ logLevel: 'DEBUG' })
    minutes(longestDebugMin)
    await Promise.all([end(), end(), end()])
    expect((await current()).desiredVersion).toBe(3)
  })

  it('is not put off by what else is changed meanwhile, and that stays', async () => {
    await wish({ logLevel: 'DEBUG' })
    minutes(50)
    await wish({ socMinPct: 15 })
    minutes(10)
    await end()
    expect(await current()).toMatchObject({ desiredVersion: 4, desired: { ...first, socMinPct: 15 } })
  })

  it('is left alone when a person has ended it himself, and lasts an hour again when it is asked for again', async () => {
    await wish({ logLevel: 'DEBUG' })
    minutes(30)
    await wish({ logLevel: 'WARN' })
    minutes(40)
    await end()
    expect(await current()).toMatchObject({ desiredVersion: 3, desired: { logLevel: 'WARN' } })
    await wish({ logLevel: 'DEBUG' })
    minutes(longestDebugMin - 1)
    await end()
    expect((await current()).desiredVersion).toBe(4)
    minutes(1)
    await end()
    expect(await current()).toMatchObject({ desiredVersion: 5, desired: { logLevel: 'WARN' } })
  })

  it('becomes WARN where nobody knows of a level before it', async () => {
    await server.rows(
      `update "configuration" set "desired" = "desired" || '{"logLevel": "DEBUG"}' where "controlPcbId" = '${board.id}'`,
    )
    minutes(longestDebugMin)
    await end()
    expect(await current()).toMatchObject({ desiredVersion: 2, desired: { logLevel: 'WARN' } })
  })
})
