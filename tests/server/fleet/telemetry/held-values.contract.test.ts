import { afterAll, beforeAll, expect, it } from 'vitest'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

const minute = 60_000
const engine = oneEngine(import.meta.filename)[0]
let server: BoardServer
beforeAll(async () => {
  if (!engine) throw new Error('no engine')
  server = await openBoardServer(engine)
})
afterAll(() => server.close())

it.each([
  [60, 15, 4 * 300],
  [900, 15, 4 * 900],
  [3600, 60, 3600],
])(
  'a value of a board that reports every %i s, and came every %i min, stands for %i s of an hour',
  async (intervalS, everyMin, seconds) => {
    const board = await server.addBoard()
    const hour = new Date('2026-03-02T10:00:00Z').getTime()
    const frames = [-1, 0, 1, 2, 3, 4].map((index, seq) =>
      telemetryFrame({}, { seq, time: new Date(hour + index * everyMin * minute), uid: board.uid }),
    )
    server.setNow(new Date(hour + 5 * everyMin * minute))
    await server.send(board, ...frames)
    await server.rows(`update "boardState" set "reportIntervalS" = ${intervalS} where "controlPcbId" = '${board.id}'`)
    await rollUp(server.database, new Date(hour + 12 * 60 * minute))
    const rows = await server.rows(
      `select "seconds" from "telemetry1h" where "controlPcbId" = '${board.id}' and "ts" = '${new Date(hour).toISOString()}'`,
    )
    expect(rows).toEqual([{ seconds }])
  },
)
