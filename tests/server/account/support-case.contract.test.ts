import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { watchServerRules } from '#server/fleet/warning/watch-server-rules.ts'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { type TelemetryValues, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

type Config = { state: string; desiredVersion: number; reportedVersion: number | null; requestedAt: string }
type Shown = { connection: { state: string; cause: string; lastPacketAt: string; lastValidPacketAt: string }; config: Config }
type Envelope = { desired: Record<string, unknown>; desiredVersion: number; state: string; appliedAt: string | null }

describe.each(oneEngine(import.meta.filename))('what support is called about, on $name', (engine) => {
  let server: BoardServer
  let board: TestBoard
  let seq = 0
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: new Date() })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    server.setNow(new Date())
    board = await server.addBoard()
  })

  const frame = (values: TelemetryValues = {}) => telemetryFrame(values, { seq: ++seq, time: server.now, uid: board.uid })
  const damaged = (bit: number) => {
    const bytes = frame()
    const at = bit >> 3
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7))
    return bytes
  }
  const shown = async () => (await server.call<Shown>('GET', `control-pcb/${board.id}`)).body
  const active = async () => {
    await watchServerRules(server.database, server.now)
    const { body } = await server.call<{ code: string; severity: string }[]>(
      'GET',
      `telemetry-warning?controlPcbId=${board.id}&active=true&_sort=code`,
    )
    return body.map(({ code, severity }) => `${code} ${severity}`)
  }

  it('one flipped bit: the packet is kept with both sums, and its bytes are marked', async () => {
    const sound = frame()
    const bytes = Buffer.from(sound)
    bytes[60] = (bytes[60] ?? 0) ^ 0b100
    expect((await server.send(board, bytes)).body).toMatchObject({ accepted: 0, invalid: 1, duplicate: 0 })
    const [found] = (await server.call<{ id: string }[]>('GET', `package?controlPcbId=${board.id}&isValid=false`)).body
    const { body } = await server.call<{ reasons: Record<string, string>[] }>('GET', `package/${found?.id}`)
    const [reason] = body.reasons
    expect(reason).toMatchObject({ code: 'CRC_MISMATCH', offset: sound.length - 2, length: 2, suspectOffset: 60 })
    expect(reason?.actual).toBe(sound.toString('hex', sound.length - 2))
    expect(reason?.expected).toMatch(/^[0-9a-f]{4}$/)
    expect(reason?.expected).not.toBe(reason?.actual)
    expect(body).toMatchObject({ status: 'INVALID', raw: bytes.toString('hex') })
    expect(await server.rows(`select 1 from "telemetry" where "controlPcbId" = '${board.id}'`)).toEqual([])
  })

  it('a board that sends nothing but damage: not silent, but useless, with a warning; one sound packet ends it', async () => {
    const ago = (minutes: number) => server.setNow(new Date(Date.now() - minutes * 60_000))
    ago(21)
    await server.send(board, frame())
    for (let minutes = 20; minutes >= 0; minutes--) {
      ago(minutes)
      await server.send(board, damaged(160 + minutes * 8))
    }
    const { connection } = await shown()
    expect(connection).toMatchObject({ state: 'OFFLINE', cause: 'BAD_DATA' })
    expect(Date.now() - Date.parse(connection.lastPacketAt)).toBeLessThan(60_000)
    expect(Date.now() - Date.parse(connection.lastValidPacketAt)).toBeGreaterThan(20 * 60_000)
    expect(await active()).toEqual(['COMM_LOST WARNING', 'PKT_INVALID_RATE CRITICAL'])
    await server.send(board, frame())
    expect((await shown()).connection).toMatchObject({ state: 'ONLINE', cause: 'OK' })
    expect(await active()).toEqual(['PKT_INVALID_RATE CRITICAL'])
  })

  it('a configuration that is wanted while the board is away: pending with its age, in sync when the board is back', async () => {
    await server.rows(
      `insert into "configuration" ("controlPcbId", "version", "desired", "requestedAt") values ('${board.id}', 1, '{}', now())`,
    )
    const envelope = async () => (await server.call<Envelope>('GET', `control-pcb/${board.id}/configuration`)).body
    const desired = await wanted()
    const put = (baseVersion: number, more: object) =>
      server.call('PUT', `control-pcb/${board.id}/configuration`, {
        body: { baseVersion, desired: { ...desired, ...more }, confirmCode: `PCB-${board.uid}` },
      })
    expect((await put(1, { socMinPct: 15 })).status).toBe(200)
    const askedAt = server.now.toISOString()
    expect((await put(1, { socMinPct: 25 })).status).toBe(409)

    server.pass(3 * 3600)
    expect((await shown()).config).toEqual({
      state: 'PENDING',
      desiredVersion: 2,
      reportedVersion: null,
      requestedAt: askedAt,
      rejectReason: null,
    })

    expect(await envelope()).toMatchObject({ state: 'PENDING', pendingSince: askedAt, pendingForS: 3 * 3600 })

    const configuration = JSON.parse(JSON.stringify((await envelope()).desired))
    const says = (values: object) =>
      server.send(board, encodeFrame({ type: 'CONFIG_ACK', seq: ++seq, uid: board.uid, time: server.now, values }))
    await says({ configVersion: 2, result: 'APPLIED', configuration })
    expect(await envelope()).toMatchObject({
      state: 'IN_SYNC',
      appliedAt: server.now.toISOString(),
      drift: [],
      pendingForS: null,
    })
    await says({ result: 'REPORTED', configuration: { ...configuration, socMinPct: 30 } })
    expect((await shown()).config.state).toBe('DRIFTED')
    expect(await envelope()).toMatchObject({ state: 'DRIFTED', drift: ['socMinPct'] })
    expect(await active()).toContain('CONFIG_DRIFT WARNING')
  })

  /** A whole configuration, as a new board gets it. */
  async function wanted(): Promise<Record<string, unknown>> {
    const facts = {
      code: `PCB-FF${board.uid.slice(-6)}`,
      uid: `FF${board.uid.slice(2)}`,
      serialNumber: board.uid,
      hardwareRevision: 'B1',
    }
    const made = await server.call<{ id: string }>('POST', 'control-pcb', { body: facts })
    if (made.status !== 201) throw new Error(made.text)
    return (await server.call<Envelope>('GET', `control-pcb/${made.body.id}/configuration`)).body.desired
  }
})
