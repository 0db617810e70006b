import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { retriedUpdates } from '#server/fleet/firmware/updates/update-tables.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { nextVersion, oldVersion, releasedId, type TestUpdate, UpdatingBoard } from '#tests/support/updating-board.ts'

type Progress = Record<'boards' | 'waiting' | 'open' | 'succeeded' | 'failed' | 'skipped', number>
type Rollout = { id: string; status: string; statusReason: string | null; wave: number; progress: Progress }

describe.each(oneEngine(import.meta.filename))('rollouts with boards that fail on $name', (engine) => {
  let server: BoardServer
  let outsider: UpdatingBoard
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
    outsider = await UpdatingBoard.add(server)
    const people = [
      ['on-duty', 'moderator', null, null],
      ['mails', 'moderator', null, '{"email": "CRITICAL"}'],
      ['silent', 'moderator', null, '{"push": "OFF"}'],
      ['locked', 'admin', 'now()', null],
      ['engineer', 'service_engineer', null, null],
    ]
    for (const [id, role, lockedAt, prefs] of people)
      await server.rows(`insert into "user" ("id", "email", "role", "firstName", "lastName", "lockedAt", "notificationPrefs")
        values ('${id}', '${id}@example.com', '${role}', 'Ann', 'Lee', ${lockedAt}, ${prefs ? `'${prefs}'` : null})`)
  })
  afterAll(() => server.close())

  const shown = async (id: string) => (await server.call<Rollout>('GET', `rollout/${id}`)).body
  const updatesOf = (id: string) =>
    server.rows<{ id: string; controlPcbId: string; status: string; attempt: number }>(
      `select "id", "controlPcbId", "status", "attempt"::int from "firmware_update" where "rolloutId" = '${id}' order by "id"`,
    )
  async function begun(boardIds: readonly string[], waves: object): Promise<string> {
    const body = { name: 'Autumn', firmwareId: releasedId, controlPcbIds: boardIds, waves }
    const { body: made, status, text } = await server.call<Rollout>('POST', 'rollout', { body })
    if (status !== 201) throw new Error(text)
    expect((await server.call('PUT', `rollout/${made.id}/start`)).status).toBe(200)
    return made.id
  }
  const boardsOf = (count: number) => Promise.all(Array.from({ length: count }, () => UpdatingBoard.add(server)))
  async function only(id: string, boards: readonly UpdatingBoard[]) {
    const update = (await updatesOf(id)).at(-1)
    const unit = boards.find(({ board }) => board.id === update?.controlPcbId)
    if (!update || !unit) throw new Error('no board was asked')
    return { update, unit }
  }
  const confirm = (where: string) =>
    server.rows(`update "firmware_update" set "status" = 'CONFIRMING', "confirmedPackets" = 3,
      "stateSince" = '${new Date(server.now.getTime() - 700_000).toISOString()}' where ${where}`)

  it('stop by themselves where 8 of 100 boards never come back, say why, and tell the people on duty', async () => {
    const boards = await Promise.all(Array.from({ length: 102 }, () => server.addBoard()))
    const id = await begun(
      boards.map((board) => board.id),
      [{ boards: 100, soakMin: 60, successPct: 90, maxFailures: 3 }, { sharePct: 100 }],
    )
    for (let steps = 0; steps < 3; steps++) await outsider.lead()
    expect((await shown(id)).progress).toMatchObject({ boards: 102, open: 100, waiting: 2 })
    const asked = await updatesOf(id)
    const bricks = asked.slice(0, 8)
    for (const { id: updateId, controlPcbId } of bricks) {
      const board = boards.find((each) => each.id === controlPcbId)
      if (!board) throw new Error('a stranger was asked')
      await new UpdatingBoard(server, board).progress(updateId, 'REBOOTING')
    }
    await confirm(`"rolloutId" = '${id}' and "status" = 'QUEUED'`)
    for (let minutes = 0; minutes <= 90; minutes += 5) {
      await outsider.advance()
      await outsider.lead()
      server.pass(300)
    }
    expect(await shown(id)).toMatchObject({
      status: 'PAUSED',
      statusReason: expect.stringMatching(/^Wave 1: \d of 100 boards failed · Волна 1: не удалось \d из 100$/),
      wave: 1,
      progress: { succeeded: 92, failed: 8, open: 0, waiting: 2 },
    })
    const entries = await server.rows(`select * from "auditLog" where "entityId" = '${id}' and "action" = 'pause'`)
    expect(entries).toMatchObject([{ actorId: null, reason: expect.stringMatching(/^Wave 1:/), after: { status: 'PAUSED' } }])
    // Nobody flashes a board once more that did not come back.
    expect(await updatesOf(id)).toHaveLength(100)
    const told = await server.rows<{ userId: string; note: object }>(
      `select "userId", "note" from "event" where "note"->>'link' = '/rollout/${id}'`,
    )
    const [by] = await server.rows<{ createdBy: string }>(`select "createdBy" from "rollout" where "id" = '${id}'`)
    expect(told.map(({ userId }) => userId).toSorted()).toEqual([String(by?.createdBy), 'mails', 'on-duty'].toSorted())
    expect(await server.rows(`select "mail" from "mailJob"`)).toMatchObject([
      {
        mail: {
          to: 'mails@example.com',
          template: 'rollout-paused',
          page: `/rollout/${id}`,
          values: { rollout: 'Autumn', why: expect.stringContaining('of 100 boards failed') },
        },
      },
    ])
    expect(told[0]?.note).toMatchObject({
      title: ['Rollout paused: Autumn', 'Раскатка приостановлена: Autumn'],
      body: [expect.stringContaining('of 100 boards failed'), expect.stringContaining('из 100')],
    })
  })

  it.each(['INSTALLING', 'REBOOTING', 'CONFIRMING'])(
    'pause with a first board that is never heard of again after %s, and do not try it again',
    async (state) => {
      const boards = await boardsOf(2)
      const id = await begun(
        boards.map(({ board }) => board.id),
        null as never,
      )
      await outsider.lead()
      const { unit, update } = await only(id, boards)
      if (state === 'CONFIRMING') {
        await unit.progress(update.id, 'REBOOTING')
        await unit.report(nextVersion)
      } else await unit.progress(update.id, state)
      expect(await unit.statusOf(update.id)).toBe(state)
      server.pass(3_601)
      await unit.advance()
      expect(await shown(id)).toMatchObject({ status: 'PAUSED', progress: { failed: 1, open: 0, waiting: 1 } })
      expect(await updatesOf(id)).toMatchObject([{ status: 'EXPIRED' }])
    },
  )

  it('do not forget a failure because a person tries the board again', async () => {
    const boards = await boardsOf(2)
    const id = await begun(
      boards.map(({ board }) => board.id),
      [
        { boards: 1, maxFailures: 2, soakMin: 0, successPct: 1 },
        { sharePct: 100, maxFailures: 2 },
      ],
    )
    await outsider.lead()
    const { unit, update } = await only(id, boards)
    await unit.progress(update.id, 'REBOOTING')
    await unit.says('BOOT', { firmwareVersion: oldVersion, resetReason: 'FW_UPDATE' })
    expect((await server.call<TestUpdate>('POST', `firmware-update/${update.id}/retry`)).status).toBe(201)
    const again = await only(id, boards)
    await unit.progress(again.update.id, 'REBOOTING')
    await unit.report(nextVersion)
    await confirm(`"id" = '${again.update.id}'`)
    await unit.advance()
    await outsider.lead()
    await outsider.lead()
    expect(await shown(id)).toMatchObject({ status: 'RUNNING', wave: 2, progress: { succeeded: 1, failed: 0, open: 1 } })
    const next = await only(id, boards)
    await next.unit.progress(next.update.id, 'FAILED', { failure: 'FLASH' })
    expect(await shown(id)).toMatchObject({ status: 'PAUSED', progress: { succeeded: 1, failed: 1 } })
  })

  it('know which failures were tried again by themselves before that was kept', async () => {
    const waves = [{ sharePct: 100, maxFailures: 1 }]
    const [byServer, byPerson] = await boardsOf(2)
    if (!byServer || !byPerson) throw new Error('no boards')
    const failed = async ({ board }: UpdatingBoard, source: string) => {
      const id = await begun([board.id], waves)
      await server.rows(`update "rollout" set "status" = 'STOPPED' where "id" = '${id}'`)
      const at = `'${board.id}', '${nextVersion}', '${id}', 1`
      await server.rows(`insert into "firmware_update" ("id", "controlPcbId", "toVersion", "rolloutId", "wave", "status", "finishedAt", "retryOfId", "events")
        values ('a-${source}', ${at}, 'EXPIRED', now(), null, '[]'), ('b-${source}', ${at}, 'SUCCEEDED', now(), 'a-${source}', '[{"source": "${source}"}]')`)
    }
    await failed(byServer, 'SERVER')
    await failed(byPerson, 'USER')
    await server.database.pool.query(retriedUpdates)
    expect(await server.rows(`select "id", "retried" from "firmware_update" where "id" like '_-_%ER' order by "id"`)).toEqual([
      { id: 'a-SERVER', retried: true },
      { id: 'a-USER', retried: null },
      { id: 'b-SERVER', retried: null },
      { id: 'b-USER', retried: null },
    ])
  })

  it('do not end a wave while a board of it installs, restarts or is confirmed', async () => {
    const boards = await boardsOf(3)
    const id = await begun(
      boards.map(({ board }) => board.id),
      [{ boards: 2, soakMin: 0, successPct: 50, maxFailures: 1 }, { sharePct: 100 }],
    )
    await outsider.lead()
    const [first, second] = await updatesOf(id)
    const unit = boards.find(({ board }) => board.id === second?.controlPcbId)
    await unit?.progress(String(second?.id), 'REBOOTING')
    await confirm(`"id" = '${first?.id}'`)
    await outsider.advance()
    for (let steps = 0; steps < 3; steps++) await outsider.lead()
    expect(await shown(id)).toMatchObject({ wave: 1, progress: { succeeded: 1, open: 1, waiting: 1 } })
    server.pass(601)
    await outsider.advance()
    await outsider.lead()
    expect(await shown(id)).toMatchObject({ status: 'PAUSED', wave: 1, progress: { succeeded: 1, failed: 1, waiting: 1 } })
  })
})
