import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { watchServerRules } from '#server/warnings/watch-server-rules.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'
import { WarnedBoard } from '#tests/support/warned-board.ts'

describe.each(engines)('warnings that the server finds on $name', (engine) => {
  let server: BoardServer
  let warned: WarnedBoard
  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    warned = await WarnedBoard.add(server)
    await server.rows(`delete from "warningNotice"`)
  })

  it('are found by the server: silence, damaged packets, refused configurations, revoked firmware', async () => {
    await warned.see(0, {})
    const watch = () => watchServerRules(server.database, server.now)
    await watch()
    expect(await warned.open()).toEqual([])
    // The database's own clock tells how long a board has been silent.
    await server.rows(
      `update "boardState" set "lastValidPacketAt" = now() - interval '30 min' where "controlPcbId" = '${warned.board.id}'`,
    )
    await watch()
    expect(await warned.only()).toMatchObject({ code: 'COMM_LOST', severity: 'WARNING', source: 'SERVER', unit: 'h' })
    await server.rows(
      `update "boardState" set "lastValidPacketAt" = now() - interval '30 hours' where "controlPcbId" = '${warned.board.id}'`,
    )
    await watch()
    expect(await warned.only()).toMatchObject({ code: 'COMM_LOST', severity: 'CRITICAL' })
    await server.rows(`update "boardState" set "lastValidPacketAt" = now() where "controlPcbId" = '${warned.board.id}'`)
    await watch()
    expect(await warned.only()).toMatchObject({ code: 'COMM_LOST', active: false })

    await server.rows(`update "packageHour" set "invalid" = 3, "valid" = 30 where "controlPcbId" = '${warned.board.id}'`)
    await server.rows(
      `insert into "configuration" ("controlPcbId", "version", "desired") values ('${warned.board.id}', 1, '{}')`,
    )
    await server.rows(
      `update "boardState" set "rejectedVersion" = 1, "rejectReason" = 'no' where "controlPcbId" = '${warned.board.id}'`,
    )
    await server.rows(
      `insert into "firmware" ("id", "firmwareVersion", "hardwareRevisions", "status", "file") values ('${warned.board.id}', '2.1.3', '["B1"]', 'REVOKED', '{"sha256": "${warned.board.id}"}')`,
    )
    await watch()
    const found = (await warned.open()).filter(({ active }) => active)
    expect(found).toMatchObject([
      { code: 'CONFIG_REJECTED', severity: 'WARNING', subject: 'no' },
      { code: 'FW_REVOKED', severity: 'CRITICAL', subject: '2.1.3' },
      { code: 'PKT_INVALID_RATE', severity: 'WARNING' },
    ])
    await server.rows(`update "packageHour" set "invalid" = 1, "valid" = 40 where "controlPcbId" = '${warned.board.id}'`)
    await watch()
    expect((await warned.open()).find(({ code }) => code === 'PKT_INVALID_RATE')).toMatchObject({ active: true })
    await server.rows(`update "packageHour" set "invalid" = 0 where "controlPcbId" = '${warned.board.id}'`)
    await server.rows(`delete from "firmware" where "id" = '${warned.board.id}'`)
    await watch()
    expect((await warned.open()).filter(({ active }) => active)).toMatchObject([{ code: 'CONFIG_REJECTED' }])
  })

  it('find a clock that is wrong and a board that starts again and again, from its packets alone', async () => {
    await warned.see(0, {}, new Date(server.now.getTime() - 7_200_000))
    expect(await warned.only()).toMatchObject({ code: 'CLOCK_DRIFT', severity: 'CRITICAL', value: expect.any(Number) })
    await warned.see(60, {})
    expect(await warned.only()).toMatchObject({ code: 'CLOCK_DRIFT', active: false })
  })
})
