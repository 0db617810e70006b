import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#schema/roles.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'
import { releasedId, UpdatingBoard } from '#tests/support/updating-board.ts'

type Asked = { method: 'GET' | 'POST'; path: string; role?: Role; body?: object }
/** A call that reads the table `first` in one statement, and `later` in another one. */
type Read = { name: string; first: string; later: string; asked: (boardId: string) => Asked }

const levels = [
  { severity: 'WARNING', raise: 50, clear: 45 },
  { severity: 'CRITICAL', raise: 60, clear: 55 },
]
const cells = {
  lowestMinMv: 2500,
  highestMinMv: 3100,
  lowestMaxMv: 3400,
  highestMaxMv: 3650,
  usualMinMv: 2900,
  usualMaxMv: 3550,
  nominalMv: 3200,
}

const reads: readonly Read[] = [
  {
    name: 'the preview of a threshold',
    first: 'warningThreshold',
    later: 'boardState',
    asked: () => ({ method: 'POST', path: 'warning-threshold/OVER_TEMP/preview', body: { delayS: 30, version: 0, levels } }),
  },
  {
    name: 'the preview of a chemistry',
    first: 'chemistryPreset',
    later: 'configuration',
    asked: () => ({ method: 'POST', path: 'chemistry-preset/LFP/preview', body: { ...cells, version: 0 } }),
  },
  {
    name: 'the checks before an update',
    first: 'firmware',
    later: 'service_engineer',
    asked: (id) => ({
      method: 'GET',
      path: `firmware-update/pre-check?controlPcbId=${id}&firmwareId=${releasedId}`,
      role: 'service_engineer',
    }),
  },
  {
    name: 'the outlook of a rollout',
    first: 'firmware',
    later: 'boardState',
    asked: () => ({ method: 'POST', path: 'rollout/outlook', body: { firmwareId: releasedId } }),
  },
]

// The embedded engine has one session: nothing there waits for a lock.
describe.each(engines.filter(({ name }) => name === 'PostgreSQL'))('a long read on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
  })
  afterAll(() => server.close())

  it.each(reads)('holds nothing of what it has read already: $name', async ({ first, later, asked }) => {
    const { board } = await UpdatingBoard.add(server)
    const { method, path, ...call } = asked(board.id)
    await server.token(call.role)
    const other = await server.database.pool.connect()
    await other.query('begin')
    await other.query(`lock table "${later}" in access exclusive mode`)
    const reading = server.call(method, path, call)
    const waits = `select "pid" from pg_stat_activity where "datname" = current_database() and "wait_event_type" = 'Lock'`
    const isHeld = `select 1 from pg_locks where "granted" and "relation" = '"${first}"'::regclass and "pid" in (${waits})`
    try {
      await expect.poll(() => server.rows(waits)).toHaveLength(1)
      expect(await server.rows(isHeld)).toEqual([])
    } finally {
      await other.query('commit')
      other.release()
    }
    expect((await reading).status).toBe(200)
  })
})
