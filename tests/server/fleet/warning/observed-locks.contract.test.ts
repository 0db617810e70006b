import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'
import { troubles, WarnedBoard } from '#tests/support/warned-board.ts'

describe.each(engines)('a condition that lasts on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
  })
  afterAll(() => server.close())

  it('locks the open warning that it is of, and none that has ended', async () => {
    const warned = await WarnedBoard.add(server)
    await warned.see(0, troubles.hot)
    await warned.see(70, troubles.hot)
    await warned.see(10, troubles.door)
    await warned.see(70, troubles.door)
    /** The last transaction that has locked each. */
    const lockers = async () => {
      const rows = await server.rows<{ code: string; active: boolean; locker: string; lastSeenAt: Date }>(
        `select "code", "active", "xmax"::text as "locker", "lastSeenAt" from "telemetry_warning" where "controlPcbId" = '${warned.board.id}'`,
      )
      return { open: rows.find(({ active }) => active), ended: rows.find(({ active }) => !active) }
    }
    const before = await lockers()
    expect([before.open?.code, before.ended?.code]).toEqual(['DOOR_OPEN', 'OVER_TEMP'])
    await warned.see(400, troubles.door)
    const after = await lockers()
    expect(after.open?.lastSeenAt).not.toEqual(before.open?.lastSeenAt)
    expect(after.ended).toEqual(before.ended)
  })
})
