import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { observeSamples } from '#server/fleet/warning/observe-samples.ts'
import { healthy, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'

const minute = 60_000
const day = 24 * 60 * minute

describe.each(engines)('a body of thousands of frames on $name', (engine) => {
  let server: BoardServer
  let board: TestBoard
  let many: number
  beforeAll(async () => {
    server = await openBoardServer(engine, { ingest: { requestsPerMin: 100_000, observers: [observeSamples] } })
    many = { embedded: 1_200, server: 4_200 }[server.database.kind]
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    server.pass(90 * 86_400)
    board = await server.addBoard()
  })

  const frame = ({ uid }: TestBoard, seq: number, time: Date) => telemetryFrame(healthy, { seq, uid, time })
  const backlog = (timeOf: (index: number) => number) =>
    Array.from({ length: many }, (_, index) => frame(board, index, new Date(timeOf(index))))
  const latest = (index: number) => server.now.getTime() - (many - 1 - index) * minute
  const transactionsOf = ({ uid }: TestBoard) =>
    server.rows<{ frames: number; last: string }>(
      `select count(*)::int as "frames", max("id") as "last" from "package" where "uid" = '${uid}' group by "xmin"::text order by 2`,
    )

  it('is stored in pieces, and other boards come in between', async () => {
    const other = await server.addBoard()
    const whole = server.send(board, ...backlog(latest))
    let sent = 0
    let isOver = false
    void whole.finally(() => {
      isOver = true
    })
    while (!isOver) {
      await server.send(other, frame(other, sent, new Date(server.now.getTime() + sent * 1_000)))
      if (!isOver) sent += 1
    }
    expect((await whole).body).toMatchObject({ accepted: many, invalid: 0, duplicate: 0 })
    const pieces = await transactionsOf(board)
    expect(pieces.length).toBeGreaterThanOrEqual(3)
    expect(sent).toBeGreaterThanOrEqual(2)
    expect(pieces.reduce((sum, { frames }) => sum + frames, 0)).toBe(many)
    const [stored] = await server.rows(`select count(*)::int as "n" from "telemetry" where "controlPcbId" = '${board.id}'`)
    expect(stored).toEqual({ n: many })
  })

  it('comes before a later one of the same board', async () => {
    const bodies = [backlog(latest), [frame(board, many, new Date(server.now.getTime() + 1_000))]]
    await Promise.all(bodies.map((frames) => server.send(board, ...frames)))
    const late = await server.rows(`select 1 from "package" where "uid" = '${board.uid}' and "reason" ? 'OUT_OF_ORDER'`)
    expect(late).toEqual([])
  })

  it('is known when it is sent again', async () => {
    const frames = backlog(latest)
    await server.send(board, ...frames.slice(0, 700))
    expect((await server.send(board, ...frames)).body).toMatchObject({ accepted: many - 700, duplicate: 700 })
    expect((await server.send(board, ...frames)).body).toMatchObject({ accepted: 0, duplicate: many })
  })

  it('says of each frame that it refuses where it stands', async () => {
    const broken = [3, many - 2]
    const frames = backlog(latest).map((bytes, index) => {
      if (broken.includes(index)) bytes.writeUInt8(bytes.readUInt8(20) ^ 0xff, 20)
      return bytes
    })
    const { body } = await server.send(board, ...frames)
    expect(body).toMatchObject({ accepted: many - 2, invalid: 2 })
    expect(body.refused).toMatchObject(broken.map((index) => ({ index })))
  })

  it('keeps every sample of a board whose clock is wrong, and dates all of them by their arrival', async () => {
    const sentAtMs = server.now.getTime() - 400 * day
    const frames = Array.from({ length: many }, (_, index) => frame(board, index, new Date(sentAtMs - (many - index) * 1_000)))
    expect((await server.send({ ...board, sentAtMs }, ...frames)).body).toMatchObject({ accepted: many })
    const [stored] = await server.rows(
      `select count(*)::int as "n", count(distinct "quality")::int as "q" from "telemetry" where "controlPcbId" = '${board.id}'`,
    )
    expect(stored).toEqual({ n: many, q: 1 })
  })

  it('tells of the clock by its newest frame alone, and dates the first frames by it', async () => {
    // The newest frame is of now: so the clock is right, though the first ones are older than all that is kept.
    await server.send(
      board,
      ...backlog((index) => (index < many - 1 ? server.now.getTime() - 70 * day + index * minute : server.now.getTime())),
    )
    const warnings = await server.rows(
      `select "code" from "telemetry_warning" where "controlPcbId" = '${board.id}' and "code" like '%CLOCK%'`,
    )
    expect(warnings).toEqual([])
    const [state] = await server.rows<{ clockOffsetMs: number }>(
      `select "clockOffsetMs" from "boardState" where "controlPcbId" = '${board.id}'`,
    )
    expect(Math.abs(state?.clockOffsetMs ?? Number.NaN)).toBeLessThan(2_000)
  })
})
