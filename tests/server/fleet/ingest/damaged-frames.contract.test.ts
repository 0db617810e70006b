import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

const damage = (frame: Buffer): Buffer => {
  const copy = Buffer.from(frame)
  copy.writeUInt8(copy.readUInt8(60) ^ 0x40, 60)
  return copy
}

describe.each(oneEngine(import.meta.filename))('the count of missed frames on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: new Date() })
  })
  afterAll(() => server.close())

  /** A hundred frames of which seven never come and five come damaged. */
  async function countsOf(send: (frames: readonly Buffer[], to: Parameters<BoardServer['send']>[0]) => Promise<unknown>) {
    const board = await server.addBoard()
    const startMs = server.now.getTime() - 7_200_000
    const all = Array.from({ length: 100 }, (_, seq) =>
      telemetryFrame({}, { seq, time: new Date(startMs + seq * 60_000), uid: board.uid }),
    )
    const came = all.filter((_, index) => index < 20 || index >= 27)
    await send(
      came.map((frame, index) => (index >= 50 && index < 55 ? damage(frame) : frame)),
      board,
    )
    const { body } = await server.call<{ quality24h: Record<string, number> }>('GET', `control-pcb/${board.id}`)
    return body.quality24h
  }

  it('leaves out those that came damaged, in one body and one by one', async () => {
    expect(await countsOf((frames, board) => server.send(board, ...frames))).toMatchObject({ invalid: 5, missed: 7 })
    const oneByOne = async (frames: readonly Buffer[], board: Parameters<BoardServer['send']>[0]) => {
      for (const frame of frames) await server.send(board, frame)
    }
    expect(await countsOf(oneByOne)).toMatchObject({ invalid: 5, missed: 7 })
  })

  it('stays at zero when what came damaged is sent again', async () => {
    const board = await server.addBoard()
    const frame = (seq: number) =>
      telemetryFrame({}, { seq, time: new Date(server.now.getTime() - 1_800_000 + seq * 60_000), uid: board.uid })
    const again = [1, 2, 3, 4, 5].map(frame)
    await server.send(board, frame(0), ...again.map(damage), frame(6))
    await server.send(board, ...again)
    const { body } = await server.call<{ quality24h: Record<string, number> }>('GET', `control-pcb/${board.id}`)
    expect(body.quality24h).toMatchObject({ valid: 7, invalid: 5, missed: 0 })
  })
})
