import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

// States are told by the database's clock, so the server's is moved into the past while frames come.
describe.each(oneEngine(import.meta.filename))('the connection of a board on $name', (engine) => {
  let server: BoardServer
  let seq = 0
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: new Date() })
  })
  afterAll(() => server.close())

  const sendAgo = async (board: TestBoard, minutes: number, kind: 'sound' | 'damaged' = 'sound', skewMs = 0) => {
    server.setNow(new Date(Date.now() - minutes * 60_000))
    const frame = telemetryFrame({}, { seq: ++seq, time: new Date(server.now.getTime() + skewMs), uid: board.uid })
    if (kind === 'damaged') frame[50] = (frame[50] ?? 0) ^ 1
    await server.send(board, frame)
    server.setNow(new Date())
  }
  const connectionOf = async (board: TestBoard) => {
    const { body } = await server.call<{ connection: { state: string; cause: string } }>('GET', `control-pcb/${board.id}`)
    return `${body.connection.state} ${body.connection.cause}`
  }

  it.each([
    ['NEVER NO_PACKETS', []],
    ['ONLINE OK', [['sound', 1]]],
    ['STALE NO_PACKETS', [['sound', 10]]],
    ['OFFLINE NO_PACKETS', [['sound', 20]]],
    ['OFFLINE BAD_DATA', [['damaged', 0]]],
    [
      'OFFLINE BAD_DATA',
      [
        ['sound', 20],
        ['damaged', 0],
      ],
    ],
    [
      'STALE BAD_DATA',
      [
        ['sound', 5],
        ['damaged', 0],
      ],
    ],
    [
      'OFFLINE NO_PACKETS',
      [
        ['sound', 40],
        ['damaged', 30],
      ],
    ],
    [
      'ONLINE OK',
      [
        ['damaged', 20],
        ['sound', 0],
      ],
    ],
  ] as const)('is %s after %j', async (expected, history) => {
    const board = await server.addBoard()
    for (const [kind, minutes] of history) await sendAgo(board, minutes, kind)
    expect(await connectionOf(board)).toBe(expected)
  })

  it('is told in the list of systems, with its cause, its last signal and the worst warning that is open', async () => {
    const board = await server.addBoard()
    const shown = async () => {
      const { body } = await server.call<Record<string, unknown>[]>('GET', `ess?id=${board.essId}`)
      return body[0]
    }
    await sendAgo(board, 20)
    const silent = await shown()
    expect(silent).toMatchObject({ connection: 'OFFLINE', cause: 'NO_PACKETS', worstWarning: null })
    expect(Date.now() - Date.parse(String(silent?.lastSignalAt))).toBeGreaterThanOrEqual(20 * 60_000)
    for (const [severity, isOpen] of [
      ['INFO', true],
      ['WARNING', true],
      ['CRITICAL', false],
    ] as const)
      await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "essId", "active", "acknowledged", "suppressed", "raisedAt")
        values (gen_random_uuid()::text, 'DOOR_OPEN', '${severity}', '${board.essId}', ${isOpen}, false, false, now())`)
    await sendAgo(board, 0)
    expect(await shown()).toMatchObject({
      connection: 'ONLINE',
      cause: null,
      worstWarning: 'WARNING',
      counts: { openWarnings: 2 },
    })
    await server.rows(`update "control_pcb" set "essId" = null where "id" = '${board.id}'`)
    expect(await shown()).toMatchObject({ connection: 'NEVER', cause: 'NO_BOARD', lastSignalAt: null })
  })

  it('of a system is the best of its boards, while the cause is that of a board in trouble, told with it and since when', async () => {
    const [main, bad, silent] = [
      await server.addBoard(),
      await server.addBoard({ ess: false }),
      await server.addBoard({ ess: false }),
    ]
    const join = (board: TestBoard) =>
      server.rows(`update "control_pcb" set "essId" = '${main.essId}', "role" = 'MODULE' where "id" = '${board.id}'`)
    const shown = async () => (await server.call<Record<string, unknown>>('GET', `ess/${main.essId}`)).body
    await sendAgo(main, 0)
    await join(bad)
    await server.rows(`update "control_pcb" set "lifecycle" = 'RETIRED' where "id" = '${bad.id}'`)
    expect(await shown()).toMatchObject({ connection: 'ONLINE', cause: null, trouble: null })
    await server.rows(`update "control_pcb" set "lifecycle" = 'ACTIVE' where "id" = '${bad.id}'`)
    await sendAgo(bad, 20)
    const { body } = await server.call<{ connection: { lastPacketAt: string } }>('GET', `control-pcb/${bad.id}`)
    const since = body.connection.lastPacketAt
    expect(await shown()).toMatchObject({ connection: 'ONLINE', cause: 'NO_PACKETS', trouble: { controlPcbId: bad.id, since } })
    await sendAgo(bad, 0, 'damaged')
    await join(silent)
    expect(await shown()).toMatchObject({
      connection: 'ONLINE',
      cause: 'BAD_DATA',
      trouble: { controlPcbId: bad.id, since, controlPcb: { code: `PCB-${bad.uid}` } },
    })
    const { body: found } = await server.call<{ id: string }[]>('GET', `ess?cause=BAD_DATA&connection=ONLINE`)
    expect(found.map(({ id }) => id)).toEqual([main.essId])
  })

  it('of a system comes with its worst open warning, the newest of those that nobody has acknowledged', async () => {
    const board = await server.addBoard()
    const rows: [string, string, boolean, string][] = [
      ['old', 'CRITICAL', false, '2 hours'],
      ['new', 'CRITICAL', false, '1 hour'],
      ['seen', 'CRITICAL', true, '1 minute'],
      ['less', 'WARNING', false, '1 minute'],
    ]
    for (const [id, severity, isSeen, age] of rows)
      await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "essId", "active", "acknowledged", "suppressed", "raisedAt")
        values ('${id}', 'DOOR_OPEN', '${severity}', '${board.essId}', true, ${isSeen}, false, now() - interval '${age}')`)
    const { body } = await server.call<{ worst: object }>('GET', `ess/${board.essId}`)
    expect(body.worst).toMatchObject({ warningId: 'new', raisedAt: expect.any(String), warning: { code: 'DOOR_OPEN' } })
  })

  it('names a wrong clock, and takes a slow one for right', async () => {
    const board = await server.addBoard()
    await sendAgo(board, 0, 'sound', -3 * 86_400_000)
    expect(await connectionOf(board)).toBe('ONLINE OK')
    await sendAgo(board, 0, 'sound', 3_600_000)
    expect(await connectionOf(board)).toBe('ONLINE CLOCK')
  })

  it('waits longer for a board that reports seldom', async () => {
    const board = await server.addBoard()
    await sendAgo(board, 20)
    await server.rows(`update "boardState" set "reportIntervalS" = 600 where "controlPcbId" = '${board.id}'`)
    expect(await connectionOf(board)).toBe('ONLINE OK')
  })

  it('names maintenance where the site is silent on purpose', async () => {
    const board = await server.addBoard()
    await sendAgo(board, 30)
    const until = new Date(Date.now() + 3_600_000).toISOString()
    await server.rows(`update "ess" set "maintenance" = '{"until": "${until}"}' where "id" = '${board.essId}'`)
    expect(await connectionOf(board)).toBe('OFFLINE MAINTENANCE')
  })
})
