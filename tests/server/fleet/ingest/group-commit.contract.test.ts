import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashOfKey } from '#server/fleet/board/device-key.ts'
import type { FrameObserver } from '#server/fleet/ingest/ingest-frames.ts'
import type { FrameDecoder } from '#server/frames/frame-decoder.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'

const unluckySeq = 13
const unlucky: FrameObserver = async (_db, group) => {
  if (group.some(({ frames }) => frames.some(({ decoded }) => decoded.seq === unluckySeq))) throw new Error('no luck')
}

/** How many frames are decoded in each turn of the process. */
class Turns {
  readonly decoded: number[] = []
  readonly decoder: FrameDecoder = {
    ...referenceDecoder,
    decode: (...given) => {
      this.decoded[this.#turn] = (this.decoded[this.#turn] ?? 0) + 1
      return referenceDecoder.decode(...given)
    },
  }
  #turn = 0
  #next: NodeJS.Immediate | undefined

  begin(): void {
    this.decoded.length = 0
    this.#pass()
  }
  readonly #pass = (): void => {
    this.#turn += 1
    this.#next = setImmediate(this.#pass)
  }
  end(): void {
    clearImmediate(this.#next)
  }
}

describe.each(engines)('bodies of many boards that come at the same time on $name', (engine) => {
  let server: BoardServer
  let boards: TestBoard[]
  const turns = new Turns()
  beforeAll(async () => {
    server = await openBoardServer(engine, { ingest: { observers: [unlucky], decoder: turns.decoder } })
    boards = []
    for (let count = 0; count < 12; count += 1) boards.push(await server.addBoard())
    for (const board of boards) await server.send(board, sample(board, 1))
  })
  afterAll(() => server.close())

  const sample = (board: TestBoard, seq: number) =>
    telemetryFrame(
      { socPct: 40 + boards.indexOf(board) },
      { seq, uid: board.uid, time: new Date(server.now.getTime() + seq * 1_000) },
    )
  const sendAll = (seqOf: (index: number) => number) =>
    Promise.all(boards.map((board, index) => server.send(board, sample(board, seqOf(index)))))
  const storedOf = (seq: number) =>
    server.rows<{ uid: string; tx: string }>(
      `select "uid", "xmin"::text as "tx" from "package" where "seq" = ${seq} order by "uid"`,
    )

  it('share transactions, and each is answered for its own board', async () => {
    const answers = await sendAll(() => 2)
    expect(answers.map(({ status }) => status)).toEqual(boards.map(() => 202))
    expect(answers.map(({ body }) => body.accepted)).toEqual(boards.map(() => 1))
    const stored = await storedOf(2)
    expect(stored.map(({ uid }) => uid)).toEqual(boards.map(({ uid }) => uid))
    expect(new Set(stored.map(({ tx }) => tx)).size).toBeLessThan(boards.length / 2)
    for (const [index, { id }] of boards.entries()) {
      const [state] = await server.rows<{ soc: number }>(
        `select ("sample"->'socPct'->>'value')::int as "soc" from "boardState" where "controlPcbId" = '${id}'`,
      )
      expect(state?.soc).toBe(40 + index)
    }
    expect(await server.rows(`select distinct "valid" from "packageHour"`)).toEqual([{ valid: 2 }])
  })

  it('do not fail with the one that fails', async () => {
    const answers = await sendAll((index) => (index === 5 ? unluckySeq : 3))
    expect(answers.map(({ status }) => status)).toEqual(boards.map((_, index) => (index === 5 ? 500 : 202)))
    expect(await storedOf(unluckySeq)).toEqual([])
    expect(await storedOf(3)).toHaveLength(boards.length - 1)
    expect(
      await server.rows(
        `select count(*)::int as "n" from "telemetry" where "ts" = '${new Date(server.now.getTime() + 3_000).toISOString()}'`,
      ),
    ).toEqual([{ n: boards.length - 1 }])
  })

  it('are refused one by one where the key has ended meanwhile', async () => {
    const [retired, ...others] = boards
    await server.rows(`update "control_pcb" set "lifecycle" = 'RETIRED' where "id" = '${retired?.id}'`)
    const answers = await sendAll(() => 20)
    expect(answers.map(({ status }) => status)).toEqual([403, ...others.map(() => 202)])
    expect(await storedOf(20)).toHaveLength(others.length)
    await server.rows(`update "control_pcb" set "lifecycle" = 'ACTIVE' where "id" = '${retired?.id}'`)
  })

  it('of one board are stored one after the other, with either of its keys', async () => {
    const board = boards.at(-1)
    if (!board) throw new Error('no board')
    await server.rows(
      `update "deviceKey" set "nextHash" = '${hashOfKey('the-next-key')}', "nextAt" = now() where "controlPcbId" = '${board.id}'`,
    )
    const seqs = Array.from({ length: 10 }, (_, index) => 30 + index)
    const answers = await Promise.all(seqs.map((seq) => server.send(board, sample(board, seq))))
    expect(answers.map(({ status }) => status)).toEqual(seqs.map(() => 202))
    const stored = await server.rows<{ tx: string }>(
      `select "xmin"::text as "tx" from "package" where "uid" = '${board.uid}' and "seq" between 30 and 39`,
    )
    expect(new Set(stored.map(({ tx }) => tx)).size).toBe(seqs.length)
    const both = await Promise.all([
      server.send(board, sample(board, 60)),
      server.send({ key: 'the-next-key' }, sample(board, 61)),
      server.send(boards[1] ?? board, sample(boards[1] ?? board, 60)),
    ])
    expect(both.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(
      await server.rows(`select "seq" from "package" where "uid" = '${board.uid}' and "seq" >= 60 order by "seq"`),
    ).toEqual([{ seq: 60 }, { seq: 61 }])
  })

  it('refuse a frame of another board, whether or not that board has sent it', async () => {
    const [forger, genuine] = [boards[2], boards[3]]
    if (!forger || !genuine) throw new Error('no boards')
    const refused = { accepted: 0, invalid: 1, duplicate: 0, refused: [{ index: 0, reason: 'UNKNOWN_BOARD' }] }
    const taken = { accepted: 1, invalid: 0, duplicate: 0 }
    const bodyOf = async (board: TestBoard, seq: number) => (await server.send(board, sample(genuine, seq))).body
    const [forged, own] = await Promise.all([bodyOf(forger, 70), bodyOf(genuine, 70)])
    expect([forged, own]).toMatchObject([refused, taken])
    expect([await bodyOf(forger, 71), await bodyOf(genuine, 71)]).toMatchObject([refused, taken])
    expect([await bodyOf(genuine, 72), await bodyOf(forger, 72)]).toMatchObject([taken, refused])
  })

  it('leave room for other requests when they have many frames', async () => {
    const each = 25
    turns.begin()
    const answers = await Promise.all(
      boards.map((board) => server.send(board, ...Array.from({ length: each }, (_, index) => sample(board, 100 + index)))),
    )
    turns.end()
    expect(answers.map(({ body }) => body.accepted)).toEqual(boards.map(() => each))
    const stored = await server.rows<{ frames: number }>(
      `select count(*)::int as "frames" from "package" where "seq" >= 100 group by "xmin"::text`,
    )
    // A list waits for a transaction of the embedded engine, which has one session.
    const most = { embedded: 4, server: boards.length }[server.database.kind] * each
    expect(Math.max(...stored.map(({ frames }) => frames))).toBeLessThanOrEqual(most)
    // A body of each of the two transactions at the same time.
    expect(Math.max(...turns.decoded.filter(Boolean))).toBeLessThanOrEqual(2 * each)
  })
  it('leave room for other requests when one of them has many frames', async () => {
    const [board] = boards
    if (!board) throw new Error('no board')
    turns.begin()
    const { body } = await server.send(board, ...Array.from({ length: 300 }, (_, index) => sample(board, 200 + index)))
    turns.end()
    expect(body.accepted).toBe(300)
    expect(Math.max(...turns.decoded.filter(Boolean))).toBeLessThanOrEqual(20)
  })
})
