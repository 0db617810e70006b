import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

type Shown = { at: string | null; stale: boolean; channels: Record<string, { value: unknown; quality: string }> }

describe.each(oneEngine(import.meta.filename))('a board without a clock on $name', (engine) => {
  let server: BoardServer
  let board: TestBoard
  let seq = 0
  beforeAll(async () => {
    server = await openBoardServer(engine)
    board = await server.addBoard()
  })
  afterAll(() => server?.close())

  const send = (socPct: number, time = new Date(seq * 60_000)) =>
    server.send(board, telemetryFrame({ socPct }, { seq: ++seq, time, uid: board.uid }))
  const shown = async () => {
    const { body } = await server.call<Shown>('GET', `control-pcb/${board.id}/last-telemetry`)
    return { at: body.at, soc: body.channels.socPct, stale: body.stale }
  }

  it('shows its values at the time of their arrival, and says so with each', async () => {
    expect((await shown()).at).toBeNull()
    for (const socPct of [50, 51]) {
      await send(socPct)
      expect(await shown()).toMatchObject({
        at: server.now.toISOString(),
        stale: false,
        soc: { value: socPct, quality: 'ESTIMATED' },
      })
      server.pass(60)
    }
  })

  it('shows the time of the measurement as soon as its clock is right', async () => {
    const time = new Date(server.now.getTime() - 30_000)
    await send(60, time)
    expect(await shown()).toMatchObject({ at: time.toISOString(), soc: { value: 60, quality: 'GOOD' } })
  })

  it('keeps values whose time is known for a quarter of an hour after its clock was lost', async () => {
    server.pass(60)
    await send(70)
    expect(await shown()).toMatchObject({ soc: { value: 60, quality: 'GOOD' } })
    server.pass(900)
    await send(71)
    expect(await shown()).toMatchObject({ at: server.now.toISOString(), soc: { value: 71, quality: 'ESTIMATED' } })
  })
})
