import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { callAs, openLine } from '#tests/support/device-line.ts'

describe.each(oneEngine(import.meta.filename))('the clock that a board sends with its frames on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openLine(engine)
  })
  afterAll(() => server?.close())

  it('is that of the beginning of the call, whatever time the line takes for the body', async () => {
    const board = await server.addBoard()
    const { port } = server.app.server.address() as AddressInfo
    const [body, sentAt] = [telemetryFrame({}, { time: server.now, uid: board.uid }), server.now.getTime()]
    const socket = connect(port, '127.0.0.1')
    const head = {
      host: 'console',
      connection: 'close',
      expect: '100-continue',
      'content-type': 'application/octet-stream',
      'content-length': body.length,
      'x-device-key': board.key,
      'x-sent-at': sentAt,
    }
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST /api/device/v1/frames HTTP/1.1\r\n${lines.join('')}\r\n`)
    await once(socket, 'data')
    // A call that came later has been answered: this one has begun.
    await callAs(server, board.key, 'state')
    const answer = text(socket)
    server.pass(600)
    socket.write(body)
    expect(await answer).toContain('202 Accepted')
    expect(await server.call('GET', `control-pcb/${board.id}`)).toMatchObject({ body: { clockOffsetMs: 0 } })
  })

  it.each([
    ['right clock, forty days old', -40 * 86_400_000, 0],
    ['clock that is not told, forty days old', -40 * 86_400_000, undefined],
    ['clock twenty minutes slow', -20 * 60_000, -20 * 60_000],
  ])('explains a frame of a %s as the call itself reads it', async (_, ageMs, offsetMs) => {
    const board = await server.addBoard()
    const body = telemetryFrame({}, { seq: 1, time: new Date(server.now.getTime() + ageMs), uid: board.uid })
    const headers: Record<string, string> =
      offsetMs === undefined ? {} : { 'x-sent-at': String(server.now.getTime() + offsetMs) }
    const { frames } = (await callAs(server, board.key, 'frames?explain', { body, headers })).body
    await callAs(server, board.key, 'frames', { body, headers })
    const [kept] = await server.rows<{ status: string; reasons: unknown }>(
      `select "status", "reasons" from "package" where "controlPcbId" = '${board.id}'`,
    )
    expect(frames).toMatchObject([{ status: kept?.status, reasons: kept?.reasons }])
  })
})
