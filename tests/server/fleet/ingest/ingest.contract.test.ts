import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { FrameObserver } from '#server/fleet/ingest/ingest-frames.ts'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { healthy, type TelemetryValues, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'

const damaged = (frame: Buffer) => {
  const copy = Buffer.from(frame)
  copy[40] = (copy[40] ?? 0) ^ 8
  return copy
}

describe.each(engines)('ingest on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine)
  })
  afterAll(() => server.close())

  const sample = (board: TestBoard, seq: number, values: TelemetryValues = {}, time = server.now) =>
    telemetryFrame(values, { seq, time, uid: board.uid })
  const packagesOf = (board: TestBoard) =>
    server.rows<Record<string, unknown>>(`select * from "package" where "controlPcbId" = '${board.id}' order by "id"`)
  const samplesOf = (board: TestBoard) =>
    server.rows<Record<string, unknown>>(`select * from "telemetry" where "controlPcbId" = '${board.id}' order by "ts"`)
  const shown = async (board: TestBoard) =>
    (
      await server.call<{
        connection: Record<string, unknown>
        firmware: object
        board: object
        config: object
        clockOffsetMs: number
      }>('GET', `control-pcb/${board.id}`)
    ).body

  it('stores every frame of a body before it answers, sound or not', async () => {
    const board = await server.addBoard()
    const sound = sample(board, 1)
    const answer = await server.send(
      board,
      sound,
      damaged(sample(board, 2)),
      sample(board, 3, { socPct: 130 }),
      Buffer.from('noise'),
    )
    expect(answer).toMatchObject({ status: 202, body: { accepted: 2, invalid: 2, duplicate: 0 } })
    expect(await packagesOf(board)).toMatchObject([
      {
        status: 'VALID',
        type: 'TELEMETRY',
        seq: 1,
        uid: board.uid,
        essId: board.essId,
        raw: sound.toString('hex'),
        reason: [],
        clockSkewMs: 0,
        firmwareVersion: '2.1.3',
        transport: 'LTE',
        sizeBytes: sound.length,
        truncated: false,
      },
      { status: 'INVALID', reason: ['CRC_MISMATCH'], clockSkewMs: null },
      { status: 'PARTIAL', reason: ['VALUE_OUT_OF_RANGE', 'SEQ_GAP'], gapBefore: 1 },
      { status: 'INVALID', reason: ['BAD_MAGIC'], type: 'UNKNOWN', uid: null },
    ])
    expect(await samplesOf(board)).toHaveLength(1)
  })

  it('takes a frame that is sent again for a duplicate: counted, and stored once', async () => {
    const board = await server.addBoard()
    const [a, b] = [sample(board, 1), sample(board, 2)]
    expect((await server.send(board, a, b)).body).toMatchObject({ accepted: 2, invalid: 0, duplicate: 0 })
    expect((await server.send(board, b, a)).body).toMatchObject({ accepted: 0, invalid: 0, duplicate: 2 })
    expect((await server.send(board, damaged(a), damaged(a))).body).toMatchObject({ accepted: 0, invalid: 1, duplicate: 1 })
    expect(await packagesOf(board)).toHaveLength(3)
    const [hour] = await server.rows(`select * from "packageHour" where "controlPcbId" = '${board.id}'`)
    expect(hour).toMatchObject({ valid: 2, invalid: 1, duplicate: 3 })
  })

  it('stores a frame once when it is sent ten times at the same moment', async () => {
    const board = await server.addBoard()
    const same = sample(board, 7)
    const answers = await Promise.all(Array.from({ length: 10 }, () => server.send(board, same)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 202))
    expect(answers.filter(({ body }) => body.accepted === 1)).toHaveLength(1)
    expect(await packagesOf(board)).toHaveLength(1)
  })

  it('keeps the values of a sample in its row, states and places as numbers', async () => {
    const board = await server.addBoard()
    await server.send(board, sample(board, 1))
    const [row] = await samplesOf(board)
    const [stored] = await packagesOf(board)
    expect(row).toMatchObject({
      ts: server.now.toISOString(),
      essId: board.essId,
      packageId: stored?.id,
      quality: 0,
      socPct: 63.4,
      batteryVoltageV: 52.48,
      chargeEnergyWh: healthy.chargeEnergyWh,
      cycleCount: 412.37,
      cellDeltaMv: 8,
      cellVoltageMinPos: 256 + 7,
      chargeState: 2,
      gridMode: 0,
    })
  })

  it('keeps samples of a wrong clock at their arrival, each its own, and never as the latest', async () => {
    const board = await server.addBoard()
    const old = new Date('1970-01-02T00:00:00Z')
    await server.send(board, sample(board, 1), sample(board, 2, { socPct: 10 }, old), sample(board, 3, { socPct: 11 }, old))
    expect((await samplesOf(board)).map(({ quality }) => quality)).toEqual([0, 2, 2])
    const { body } = await server.call<{ channels: Record<string, { value: unknown }> }>(
      'GET',
      `ess/${board.essId}/last-telemetry`,
    )
    expect(body.channels.socPct?.value).toBe(63.4)
    expect((await shown(board)).clockOffsetMs).toBeLessThan(-1e12)
  })

  it('keeps no more of a frame than 2 KiB', async () => {
    const board = await server.addBoard()
    await server.send(board, Buffer.alloc(5000, 1))
    expect(await packagesOf(board)).toMatchObject([{ sizeBytes: 5000, truncated: true, raw: '01'.repeat(2048) }])
  })

  it('announces what waits of one board at its own time, not at that of another', async () => {
    const [early, late] = [await server.addBoard(), await server.addBoard()]
    const announced = async () =>
      (await server.rows(`select 1 from "event" where "entityId" = '${late.id}' and "resource" = 'control-pcb'`)).length
    for (let seq = 0; seq < 2; seq++) await server.send(early, sample(early, seq))
    await sleep(700)
    const from = performance.now()
    for (let seq = 0; seq < 2; seq++) await server.send(late, sample(late, seq))
    await sleep(Math.max(0, 600 - (performance.now() - from)))
    const tooEarly = performance.now() - from < 1_000 ? (await announced()) - 1 : 0
    expect(tooEarly).toBe(0)
    await vi.waitFor(async () => expect(await announced()).toBe(2), { timeout: 10_000 })
  })

  it('announces a board, its ESS and its packet, at most once a second', async () => {
    const board = await server.addBoard()
    const from = performance.now()
    for (let seq = 0; seq < 5; seq++) await server.send(board, sample(board, seq))
    const rows = await server.rows(`select "resource", "type" from "event" where "entityId" in ('${board.id}', '${board.essId}')
      or "entityId" in (select "id" from "package" where "controlPcbId" = '${board.id}') order by "id"`)
    const seconds = Math.floor((performance.now() - from) / 1_000)
    const once = [
      { resource: 'control-pcb', type: 'updated' },
      { resource: 'ess', type: 'updated' },
      { resource: 'package', type: 'created' },
    ]
    const times = Math.max(1, rows.length / once.length)
    expect(rows).toEqual(Array.from({ length: times }, () => once).flat())
    expect(times).toBeLessThanOrEqual(1 + seconds)
  })
})

describe.each(engines)('those who act on what boards say on $name', (engine) => {
  it('see every frame once in its transaction, and keep it from being stored when they fail', async () => {
    const seen: string[] = []
    const observer: FrameObserver = async (_db, group) => {
      for (const { board, frames } of group)
        seen.push(...frames.map(({ decoded }) => `${board.uid} ${decoded.type} ${decoded.seq} ${decoded.status}`))
      if (group.some(({ frames }) => frames.some(({ decoded }) => decoded.seq === 13))) throw new Error('no luck')
    }
    const server = await openBoardServer(engine, { ingest: { observers: [observer] } })
    try {
      const board = await server.addBoard()
      const sample = (seq: number) => telemetryFrame({}, { seq, time: server.now, uid: board.uid })
      await server.send(board, sample(1))
      await server.send(board, sample(1), sample(2))
      expect((await server.send(board, sample(3), sample(13))).status).toBe(500)
      expect(seen).toEqual([1, 2, 3, 13].map((seq) => `${board.uid} TELEMETRY ${seq} VALID`))
      expect(await server.rows(`select "seq" from "package" order by "id"`)).toEqual([{ seq: 1 }, { seq: 2 }])
      expect((await server.send(board, sample(3))).body).toMatchObject({ accepted: 1, invalid: 0, duplicate: 0 })
    } finally {
      await server.close()
    }
  }, 60_000)
})

describe.each(engines)('a key that sends too often on $name', (engine) => {
  it('is told to wait, and others are not', async () => {
    const server = await openBoardServer(engine, { ingest: { requestsPerMin: 3 } })
    try {
      const [busy, calm] = [await server.addBoard(), await server.addBoard()]
      const send = (board: TestBoard, seq: number) =>
        server.send(board, encodeFrame({ type: 'HEARTBEAT', seq, uid: board.uid, time: server.now, values: {} }))
      const answers = await Promise.all(Array.from({ length: 5 }, (_, seq) => send(busy, seq)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 202, 202, 429, 429])
      expect(answers.find(({ status }) => status === 429)?.headers['retry-after']).toMatch(/^\d+$/)
      expect((await send(calm, 1)).status).toBe(202)
    } finally {
      await server.close()
    }
  }, 60_000)
})
