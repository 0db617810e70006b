import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { callAs } from '#tests/support/device-line.ts'

describe.each(oneEngine(import.meta.filename))('the ingest on $name', (engine) => {
  let server: BoardServer
  afterEach(() => server.close())

  const heartbeat = (board: Pick<TestBoard, 'uid'>, seq: number) =>
    encodeFrame({ type: 'HEARTBEAT', seq, uid: board.uid, time: server.now, values: {} })

  /** Begins a body of a megabyte and never ends it: only a server that does not wait for it can answer. */
  function beginBody(headers: Record<string, string>): Promise<number | undefined> {
    const { port } = server.app.server.address() as AddressInfo
    return new Promise((resolve, reject) => {
      const sending = httpRequest({
        port,
        host: '127.0.0.1',
        path: '/api/ingest',
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', 'content-length': '1000000', ...headers },
      })
      sending.on('response', (answer) => {
        resolve(answer.statusCode)
        sending.destroy()
      })
      sending.on('error', reject)
      sending.write(Buffer.alloc(64))
    })
  }

  it('asks whose key it is before it reads a body, and lets a stranger try thirty times', async () => {
    server = await openBoardServer(engine, { listen: true })
    const board = await server.addBoard()
    expect(await beginBody({ 'x-device-key': 'k'.repeat(43) })).toBe(403)
    expect(await beginBody({})).toBe(403)
    for (let tries = 2; tries < 30; tries += 1)
      expect((await server.send({ key: `guess-${tries}` }, heartbeat(board, 1))).status).toBe(403)
    const refused = await server.send({ key: 'one-more' }, heartbeat(board, 1))
    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many' } })
    expect((await server.send(board, heartbeat(board, 1))).status).toBe(202)
  })

  it('counts the calls of each board, not of the address that many boards share', async () => {
    server = await openBoardServer(engine, { env: { RATE_LIMIT_PER_MIN: '1' }, ingest: { requestsPerMin: 3 } })
    const statuses = async (boards: readonly TestBoard[], seq: number) => {
      const answers = []
      for (const board of boards) answers.push((await server.send(board, heartbeat(board, seq))).status)
      return new Set(answers)
    }
    const boards: TestBoard[] = []
    for (let count = 0; count < 22; count += 1) boards.push(await server.addBoard({ ess: false }))
    expect(await statuses(boards, 1)).toEqual(new Set([202]))
    const [loud, ...calm] = boards
    if (!loud) throw new Error('no board')
    for (const [seq, status] of [202, 202, 429].entries())
      expect((await server.send(loud, heartbeat(loud, 2 + seq))).status).toBe(status)
    expect(await statuses(calm, 2)).toEqual(new Set([202]))
  })

  it('looks no further keys up for an address of strangers, and goes on with the boards behind it', async () => {
    server = await openBoardServer(engine, { env: { RATE_LIMIT_PER_MIN: '1' } })
    const board = await server.addBoard({ ess: false })
    expect((await server.send(board, heartbeat(board, 1))).status).toBe(202)
    for (let tries = 0; tries < 52; tries += 1) await server.send({ key: `guess-${tries}` }, heartbeat(board, 2))
    const late = await server.addBoard({ ess: false })
    expect((await server.send(late, heartbeat(late, 1))).status).toBe(429)
    expect((await server.send(board, heartbeat(board, 2))).status).toBe(202)
  })

  it('takes nothing by the key of a board that is retired', async () => {
    server = await openBoardServer(engine)
    const board = await server.addBoard()
    expect((await server.send(board, heartbeat(board, 1))).status).toBe(202)
    await server.rows(`update "control_pcb" set "lifecycle" = 'RETIRED' where "id" = '${board.id}'`)
    expect(await server.send(board, heartbeat(board, 2))).toMatchObject({ status: 403, body: { code: 'device-key.unknown' } })
    expect(await server.rows('select "seq" from "package"')).toEqual([{ seq: 1 }])
  })

  it('takes twenty thousand frames a minute of one board, whatever room its backlog has, and of the others no fewer', async () => {
    server = await openBoardServer(engine)
    const [loud, calm] = [await server.addBoard(), await server.addBoard()]
    const most = Array.from({ length: 5_000 }, () => heartbeat(loud, 1))
    const answers: { status: number; headers: Record<string, unknown> }[] = []
    for (let count = 0; count < 12 && answers.at(-1)?.status !== 429; count += 1) answers.push(await server.send(loud, ...most))
    expect(answers.slice(0, 4).map(({ status }) => status)).toEqual([202, 202, 202, 202])
    expect(answers.at(-1)?.status).toBe(429)
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await server.send(calm, heartbeat(calm, 1))).status).toBe(202)
  })

  it('stores a backlog at once, and then no more of one board than a board has to say', async () => {
    server = await openBoardServer(engine, { ingest: { volume: { most: 20, perMin: 6 } } })
    const [loud, calm] = [await server.addBoard(), await server.addBoard()]
    const noise = (count: number) => Array.from({ length: count }, (_, at) => Buffer.alloc(300, at + 1))
    const backlog = Array.from({ length: 16 }, (_, seq) => heartbeat(loud, seq))
    expect((await server.send(loud, ...backlog)).body).toMatchObject({ accepted: 16 })
    expect((await server.send(loud, ...noise(1))).status).toBe(202)
    const refused = await server.send(loud, Buffer.alloc(2_000, 1))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(30)
    expect((await server.send(calm, heartbeat(calm, 1))).status).toBe(202)
    expect(await server.rows(`select count(*)::int as "n" from "package" where "controlPcbId" = '${loud.id}'`)).toEqual([
      { n: 17 },
    ])
  })

  it.each([
    ['stored volume', { volume: { most: 20, perMin: 6 } }],
    ['number of calls', { requestsPerMin: 2 }],
  ])('counts the %s of a board on after it has changed its key', async (_what, ingest) => {
    server = await openBoardServer(engine, { ingest, listen: true })
    const board = await server.addBoard()
    const frames = Array.from({ length: 20 }, (_, seq) => heartbeat(board, seq))
    expect((await server.send(board, ...frames)).status).toBe(202)
    const { body } = await callAs(server, board.key, 'key', { method: 'POST' })
    expect((await server.send({ ...board, key: String(body.key) }, heartbeat(board, 21))).status).toBe(429)
  })
})
