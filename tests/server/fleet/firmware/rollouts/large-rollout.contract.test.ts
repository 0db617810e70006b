import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { advanceRollouts } from '#server/fleet/firmware/rollouts/advance-rollouts.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'
import { releasedId, UpdatingBoard } from '#tests/support/updating-board.ts'

const id = '01890000-0000-7000-8000-0000000000e1'
const boards = 300

describe.each(engines)('a large rollout on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
    await server.rows(`insert into "rollout" ("id", "name", "firmwareId", "status", "wave", "waves", "waveSince", "acceptedFailures")
      values ('${id}', 'Spring', '${releasedId}', 'RUNNING', 2, '[{"boards": 1}, {"sharePct": 100, "successPct": 50}]', now(), 0)`)
    await server.rows(`insert into "rolloutTarget" ("rolloutId", "controlPcbId", "wave", "state")
      select '${id}', 'b' || "n", 2, case when "n" > 290 then 'SKIPPED' else 'REQUESTED' end from generate_series(1, ${boards}) "n"`)
    // The first ten had failed before they were tried again by themselves; the next five were taken back, then twenty have failed, fifty succeeded.
    const insert = (name: string, from: number, to: number, status: string) =>
      server.rows(`insert into "firmware_update" ("id", "controlPcbId", "toVersion", "status", "rolloutId", "wave", "finishedAt")
        select '${name}' || "n", 'b' || "n", '9.9.9', '${status}', '${id}', 2, ${status === 'QUEUED' ? 'null' : 'now()'}
          from generate_series(${from}, ${to}) "n"`)
    await insert('1-', 1, 10, 'FAILED')
    await server.rows(`update "firmware_update" set "retried" = true where "status" = 'FAILED'`)
    await insert('2-', 11, 15, 'CANCELED')
    await insert('2-', 16, 25, 'ROLLED_BACK')
    await insert('2-', 26, 35, 'EXPIRED')
    await insert('2-', 36, 75, 'SUCCEEDED')
    await insert('2-', 1, 10, 'SUCCEEDED')
    await insert('2-', 76, 290, 'QUEUED')
  })
  afterAll(() => server.close())

  const shown = async () => (await server.call('GET', `rollout/${id}`)).body
  /** How many rows the server reads to lead it. */
  async function rowsToLead(): Promise<number> {
    let read = 0
    const kysely = server.database.kysely.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        read += result.rows.length
        return result
      },
    })
    await advanceRollouts({ ...server.database, kysely }, server.now)
    return read
  }

  it('is counted by the database: to see that there is nothing to do, no board is read', async () => {
    expect(await rowsToLead()).toBeLessThan(10)
    expect(await shown()).toMatchObject({
      status: 'RUNNING',
      wave: 2,
      progress: { boards, waiting: 0, open: 215, succeeded: 50, failed: 20, skipped: 15 },
    })
  })

  it('is not looked through where some boards wait, and ends when there is none left', async () => {
    await server.rows(`update "rolloutTarget" set "state" = 'WAITING' where "controlPcbId" in ('b291', 'b292')`)
    expect(await rowsToLead()).toBeLessThan(20)
    expect((await shown()).progress).toMatchObject({ waiting: 0, skipped: 15 })
    await server.rows(`update "firmware_update" set "status" = 'SUCCEEDED', "finishedAt" = now() where "status" = 'QUEUED'`)
    await rowsToLead()
    expect(await shown()).toMatchObject({ status: 'FINISHED', progress: { open: 0, succeeded: 265, failed: 20 } })
  })

  it('pauses with the failure that is one too many of the boards that were not left out', async () => {
    await server.rows(`update "rollout" set "status" = 'RUNNING' where "id" = '${id}'`)
    await server.rows(`update "firmware_update" set "status" = 'FAILED' where "id" between '2-200' and '2-207'`)
    await rowsToLead()
    expect((await shown()).status).toBe('FINISHED')
    await server.rows(`update "rollout" set "status" = 'RUNNING' where "id" = '${id}'`)
    // b291 and b292 are gone and left out again: a tenth of 290 is 29.
    await server.rows(`update "firmware_update" set "status" = 'FAILED' where "id" = '2-208'`)
    await rowsToLead()
    expect(await shown()).toMatchObject({ status: 'PAUSED', statusReason: expect.stringContaining('29 of 290 boards failed') })
  })
})
