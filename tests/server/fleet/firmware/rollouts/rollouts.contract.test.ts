import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { advanceRollouts } from '#server/fleet/firmware/rollouts/advance-rollouts.ts'
import { offeredUpdates } from '#server/fleet/firmware/updates/offered-updates.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { nextVersion, oldVersion, releasedId, type TestUpdate, UpdatingBoard } from '#tests/support/updating-board.ts'

type Progress = Record<'boards' | 'waiting' | 'open' | 'succeeded' | 'failed' | 'skipped', number>
type Rollout = { id: string; status: string; statusReason: string | null; wave: number | null; progress: Progress }
type Call = { role?: 'admin' | 'moderator' | 'service_engineer'; body?: object }

describe.each(oneEngine(import.meta.filename))('rollouts on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
  })
  afterAll(() => server.close())

  const boardsOf = (count: number) => Promise.all(Array.from({ length: count }, () => UpdatingBoard.add(server)))
  const waves = [
    { boards: 1, soakMin: 30 },
    { sharePct: 50, soakMin: 0 },
    { sharePct: 100, soakMin: 0 },
  ]
  async function draft(boards: readonly UpdatingBoard[], more: object = {}): Promise<string> {
    const body = { name: 'Spring', firmwareId: releasedId, controlPcbIds: boards.map(({ board }) => board.id), waves, ...more }
    const { status, body: made, text } = await server.call<Rollout>('POST', 'rollout', { body })
    if (status !== 201) throw new Error(text)
    return made.id
  }
  const lead = (id: string, verb: string, call: Call = {}) => server.call<Rollout>('PUT', `rollout/${id}/${verb}`, call)
  const advance = () => advanceRollouts(server.database, server.now)
  const shown = async (id: string) => (await server.call<Rollout>('GET', `rollout/${id}`)).body
  const updatesOf = async (id: string) => (await server.call<TestUpdate[]>('GET', `firmware-update?rolloutId=${id}`)).body
  async function begun(boards: readonly UpdatingBoard[], more: object = {}): Promise<string> {
    const id = await draft(boards, more)
    expect((await lead(id, 'start')).body).toMatchObject({ status: 'RUNNING', wave: 1 })
    await advance()
    return id
  }
  /** The boards that are asked now, with their updates. */
  async function asked(id: string, boards: readonly UpdatingBoard[]) {
    const open = (await updatesOf(id)).filter(({ finishedAt }) => finishedAt === null)
    return open.flatMap((update) => {
      const unit = boards.find(({ board }) => board.id === update.controlPcbId)
      return unit ? [{ unit, update }] : []
    })
  }
  async function succeed(id: string, boards: readonly UpdatingBoard[]): Promise<void> {
    const all = await asked(id, boards)
    for (const { unit, update } of all) {
      await unit.progress(update.id, 'REBOOTING')
      for (let count = 0; count < 3; count++) await unit.report(nextVersion)
    }
    server.pass(601)
    await all[0]?.unit.advance()
  }
  async function comeBackOld({ unit, update }: { unit: UpdatingBoard; update: TestUpdate }): Promise<void> {
    await unit.progress(update.id, 'REBOOTING')
    await unit.says('BOOT', { firmwareVersion: oldVersion, resetReason: 'FW_UPDATE' })
  }

  it('go from wave to wave, each watched for its time, until every board has the firmware', async () => {
    const boards = await boardsOf(4)
    const id = await begun(boards)
    expect(await shown(id)).toMatchObject({ wave: 1, progress: { boards: 4, open: 1, waiting: 3 } })
    await succeed(id, boards)
    await advance()
    expect(await updatesOf(id)).toMatchObject([{ status: 'SUCCEEDED', wave: 1, rolloutId: id }])
    server.pass(29 * 60)
    await advance()
    expect(await shown(id)).toMatchObject({ wave: 1 })
    server.pass(60)
    await advance()
    await advance()
    expect(await shown(id)).toMatchObject({ wave: 2, progress: { succeeded: 1, open: 1, waiting: 2 } })
    await succeed(id, boards)
    await advance()
    await advance()
    expect(await shown(id)).toMatchObject({ wave: 3, status: 'RUNNING', progress: { succeeded: 2, open: 2, waiting: 0 } })
    await succeed(id, boards)
    await advance()
    expect(await shown(id)).toMatchObject({
      status: 'FINISHED',
      progress: { boards: 4, waiting: 0, open: 0, succeeded: 4, failed: 0, skipped: 0 },
    })
  })

  it('pause with the failure that is one too many: no further board begins, and going on takes a reason', async () => {
    const boards = await boardsOf(4)
    const id = await begun(boards, { waves: [{ sharePct: 50, maxFailures: 1 }, { sharePct: 100 }] })
    const [first, second] = await asked(id, boards)
    if (!first || !second) throw new Error('two boards were to be asked')
    await comeBackOld(first)
    expect(await shown(id)).toMatchObject({ status: 'PAUSED', statusReason: expect.stringContaining('1 of 2 boards failed') })
    const offered = () => offeredUpdates(server.database.kysely, server.now, second.unit.board.id)
    expect(await offered()).toEqual([])
    await advance()
    expect(await updatesOf(id)).toHaveLength(2)
    const told = await server.rows(`select "note" from "event" where "note"->>'link' = '/rollout/${id}'`)
    expect(told).toMatchObject([{ note: { title: ['Rollout paused: Spring', 'Раскатка приостановлена: Spring'] } }])

    expect((await lead(id, 'resume', { body: {} })).status).toBe(400)
    expect((await lead(id, 'resume', { role: 'moderator', body: { note: 'fine' } })).status).toBe(403)
    expect((await lead(id, 'resume', { body: { note: 'a bad cable' } })).body).toMatchObject({ status: 'RUNNING' })
    expect(await offered()).toMatchObject([{ id: second.update.id }])
    await succeed(id, boards)
    await advance()
    server.pass(3_600)
    await advance()
    await advance()
    expect(await shown(id)).toMatchObject({ wave: 2, progress: { failed: 1, succeeded: 1, open: 2 } })
    expect((await lead(id, 'pause', { role: 'moderator', body: { note: 'storm' } })).body).toMatchObject({
      status: 'PAUSED',
      statusReason: 'storm',
    })
  })

  it('count a failure only when it is not tried again', async () => {
    const boards = await boardsOf(1)
    const id = await begun(boards, { waves: [{ sharePct: 100 }] })
    for (const [attempt, status] of [
      [1, 'RUNNING'],
      [2, 'RUNNING'],
      [3, 'PAUSED'],
    ] as const) {
      const [one] = await asked(id, boards)
      expect(one?.update).toMatchObject({ attempt, wave: 1 })
      await one?.unit.progress(one.update.id, 'FAILED', { failure: 'CHECKSUM' })
      expect((await shown(id)).status).toBe(status)
    }
  })

  it('reach the boards that can have it, however many others have to wait', async () => {
    const [good] = await boardsOf(1)
    if (!good) throw new Error('there is no board')
    // Boards that sort before it and are busy with other updates.
    const many = `generate_series(1, 60) "n"`
    await server.rows(`insert into "control_pcb" ("id", "code", "uid", "hardwareRevision", "lifecycle")
      select '00-busy-' || "n", 'PCB-' || lpad("n"::text, 6, '0'), lpad("n"::text, 12, 'F'), 'B1', 'ACTIVE' from ${many}`)
    await server.rows(`insert into "firmware_update" ("id", "controlPcbId", "toVersion", "status")
      select '00-busy-' || "n", '00-busy-' || "n", '9.9.9', 'QUEUED' from ${many}`)
    const id = await draft([good], { waves: [{ sharePct: 100 }] })
    expect((await lead(id, 'start')).status).toBe(200)
    await server.rows(
      `insert into "rolloutTarget" ("rolloutId", "controlPcbId", "wave", "state") select '${id}', '00-busy-' || "n", 1, 'WAITING' from ${many}`,
    )
    const isAsked = async () => (await asked(id, [good])).length === 1
    for (let looks = 0; looks < 40 && !(await isAsked()); looks++) await advance()
    expect(await isAsked()).toBe(true)
    expect((await shown(id)).progress).toMatchObject({ open: 1, waiting: 60 })
    for (const table of ['firmware_update', 'control_pcb'])
      await server.rows(`delete from "${table}" where "id" like '00-busy-%'`)
    await lead(id, 'stop')
  })

  // The embedded engine has one session: nobody holds anything while another looks.
  if (engine.name === 'PostgreSQL')
    it('are not looked through for each board that succeeds, however large they are', async () => {
      const boards = await boardsOf(1)
      const id = await begun(boards)
      const [first] = await asked(id, boards)
      await first?.unit.progress(first.update.id, 'REBOOTING')
      for (let count = 0; count < 3; count++) await first?.unit.report(nextVersion)
      server.pass(601)
      await inTransaction(server.database, async (db) => {
        await sql`lock table "rolloutTarget"`.execute(db)
        await first?.unit.advance()
        expect(await first?.unit.statusOf(first.update.id)).toBe('SUCCEEDED')
      })
    })

  it('leave out boards that need nothing or can not have it, and wait for those that can not have it now', async () => {
    const [done, wrong, low, other] = await boardsOf(4)
    if (!done || !wrong || !low || !other) throw new Error('no boards')
    await done.report(nextVersion)
    await server.rows(`update "control_pcb" set "product" = 'ESS-LINK' where "id" = '${other.board.id}'`)
    await server.rows(`update "control_pcb" set "hardwareRevision" = 'A1' where "id" = '${wrong.board.id}'`)
    server.pass(1_200)
    await low.report(oldVersion, { socPct: 11 })
    const id = await begun([done, wrong, low, other], { waves: [{ sharePct: 100 }] })
    expect(await shown(id)).toMatchObject({ status: 'RUNNING', progress: { skipped: 3, waiting: 1, open: 0 } })
    const reasons = await server.rows(`select "reason" from "rolloutTarget" where "rolloutId" = '${id}' order by "reason"`)
    expect(reasons.map(({ reason }) => reason)).toEqual(['HARDWARE', 'INSTALLED', 'PRODUCT', 'SOC'])
    server.pass(7_200)
    await low.report(oldVersion, { socPct: 40 })
    await advance()
    expect(await shown(id)).toMatchObject({ progress: { open: 1, waiting: 0 } })
  })

  it('stop for good: who has not begun keeps its version, who has begun finishes', async () => {
    const boards = await boardsOf(3)
    const id = await begun(boards, { waves: [{ boards: 2 }, { sharePct: 100 }] })
    const [first, second] = await asked(id, boards)
    await first?.unit.progress(first.update.id, 'DOWNLOADING')
    expect((await lead(id, 'stop', { role: 'moderator' })).status).toBe(403)
    expect((await lead(id, 'stop')).body).toMatchObject({ status: 'STOPPED', progress: { open: 1, skipped: 2 } })
    expect(await second?.unit.shown(second.update.id)).toMatchObject({ status: 'CANCELED', failureCode: 'USER' })
    expect(await lead(id, 'resume', { body: { note: 'x' } })).toMatchObject({
      status: 409,
      body: { code: 'action.wrong-state' },
    })
  })

  it('pause when their firmware is taken back', async () => {
    const boards = await boardsOf(2)
    const id = await begun(boards)
    await server.rows(`update "firmware" set "status" = 'DEPRECATED' where "id" = '${releasedId}'`)
    await advance()
    expect(await shown(id)).toMatchObject({ status: 'PAUSED', statusReason: expect.stringContaining('not be installed') })
    await server.rows(`update "firmware" set "status" = 'RELEASED' where "id" = '${releasedId}'`)
  })

  it('take every board that the firmware is newer for where none was chosen', async () => {
    const boards = await boardsOf(2)
    const id = await draft([], { waves: null })
    const { body } = await lead(id, 'start')
    expect(body.progress.boards).toBeGreaterThanOrEqual(2)
    const targets = await server.rows(`select "controlPcbId" from "rolloutTarget" where "rolloutId" = '${id}'`)
    const chosen = targets.map(({ controlPcbId }) => controlPcbId)
    for (const { board } of boards) expect(chosen).toContain(board.id)
    expect((await lead(id, 'stop')).status).toBe(200)
  })

  it('may be changed until they begin, and say what is wrong with their waves', async () => {
    const [one] = await boardsOf(1)
    if (!one) throw new Error('no board')
    const body = { name: 'Spring', firmwareId: releasedId, waves: [{ sharePct: 50 }] }
    expect((await server.call('POST', 'rollout', { body })).body).toMatchObject({
      code: 'rollout.last-wave',
      fields: { waves: expect.stringContaining('100 %') },
    })
    const twice = { ...body, waves: [{ boards: 1, sharePct: 100 }] }
    expect(await server.call('POST', 'rollout', { body: twice })).toMatchObject({
      status: 400,
      body: { code: 'rollout.wave-size' },
    })
    expect((await server.call('POST', 'rollout', { role: 'moderator', body: { ...body, waves: null } })).status).toBe(403)
    const id = await draft([one])
    const put = (version: number, name: string) => server.call<Rollout>('PUT', `rollout/${id}`, { body: { version, name } })
    expect((await put(1, 'Summer')).status).toBe(200)
    await lead(id, 'start')
    expect(await put(3, 'Autumn')).toMatchObject({ status: 409, body: { code: 'rollout.started' } })
    expect(await lead(id, 'start')).toMatchObject({ status: 409, body: { code: 'action.wrong-state' } })
  })
})
