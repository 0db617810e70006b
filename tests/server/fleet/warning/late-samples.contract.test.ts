import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { troubles, WarnedBoard } from '#tests/support/warned-board.ts'

describe.each(oneEngine(import.meta.filename))('what a board has kept on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
  })
  afterAll(() => server.close())

  /** Ten minutes ago it was too hot for four minutes, then no longer. */
  const keptBy = (warned: WarnedBoard) => {
    const startMs = Math.floor(server.now.getTime() / 1000) * 1000 - 600_000
    const at = (minute: number) => new Date(startMs + minute * 60_000)
    const frames = [0, 1, 2, 3, 4].map((minute) => warned.sample(minute < 4 ? troubles.veryHot : {}, at(minute)))
    return { frames, beganAt: at(0).toISOString(), endedAt: at(4).toISOString() }
  }

  it('raises and ends a warning at its own times when it is sent before what is measured now, the oldest first', async () => {
    const warned = await WarnedBoard.add(server)
    const { frames, beganAt, endedAt } = keptBy(warned)
    await server.send(warned.board, ...frames, warned.sample({}))
    expect(await warned.only()).toMatchObject({
      ...{ code: 'OVER_TEMP', severity: 'CRITICAL', active: false },
      ...{ startedAt: beganAt, clearedAt: endedAt },
    })
  })

  it('raises none by a threshold when a younger sample has come before it', async () => {
    const warned = await WarnedBoard.add(server)
    const { frames } = keptBy(warned)
    await warned.send(warned.sample({}))
    await server.send(warned.board, ...frames)
    expect(await warned.open()).toEqual([])
  })
})
