import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import {
  nextVersion,
  oldVersion,
  releasedId,
  type TestUpdate,
  testingId,
  UpdatingBoard,
} from '#tests/support/updating-board.ts'

describe.each(oneEngine(import.meta.filename))('requests for firmware updates on $name', (engine) => {
  let server: BoardServer
  let updating: UpdatingBoard
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    updating = await UpdatingBoard.add(server)
  })

  it('are one per board, and none of two at the same moment', async () => {
    const answers = await Promise.all([updating.request(), updating.request()])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect((await updating.request()).body).toMatchObject({
      code: 'update.pre-checks',
      message: expect.stringContaining('Another update is under way'),
    })
  })

  it('tell what stands in the way before anybody asks, board by board', async () => {
    const other = await server.addBoard()
    await server.rows(
      `update "control_pcb" set "lifecycle" = 'QUARANTINED', "hardwareRevision" = 'A1' where "id" = '${other.id}'`,
    )
    const query = `firmware-update/pre-check?controlPcbId=${updating.board.id}&controlPcbId=${other.id}&firmwareId=${releasedId}`
    type Result = { ok: boolean; checks: { code: string; ok: boolean }[] }
    const { body } = await server.call<Result[]>('GET', query)
    expect(body.map(({ ok }) => ok)).toEqual([true, false])
    expect(body[1]?.checks.filter(({ ok }) => !ok).map(({ code }) => code)).toEqual(['LIFECYCLE', 'HARDWARE'])
    server.pass(1_200)
    await updating.report(oldVersion, { socPct: 12 })
    expect((await updating.request()).body).toMatchObject({ message: expect.stringContaining('Charge below 20 % (12%)') })
    await updating.report(nextVersion, { socPct: 12 })
    expect(await updating.request()).toMatchObject({ status: 409, body: { code: 'update.installed' } })
    const installed = await server.call<{ skipped: boolean }[]>(
      'GET',
      `firmware-update/pre-check?controlPcbId=${updating.board.id}&firmwareId=${releasedId}`,
    )
    expect(installed.body).toMatchObject([{ skipped: true, ok: false }])
  })

  it('are refused for the image of another product, and name both', async () => {
    await server.rows(`update "control_pcb" set "product" = 'ESS-LINK' where "id" = '${updating.board.id}'`)
    const { status, body } = await updating.request()
    expect([status, body]).toMatchObject([
      409,
      {
        code: 'update.pre-checks',
        message: expect.stringContaining('Another product (the board is ESS-LINK, the firmware is for ESS-PCB)'),
      },
    ])
    const offered = await server.call<object[]>('GET', `firmware/for-request-update?controlPcbId=${updating.board.id}`)
    expect(offered.body).toEqual([])
  })

  it('tell each check in words, and an engineer whether the site is his', async () => {
    const query = `firmware-update/pre-check?controlPcbId=${updating.board.id}&firmwareId=${releasedId}`
    type Result = { ok: boolean; kind: string; checks: { code: string; ok: boolean; text: string; found: string }[] }
    const checksFor = async (role: 'admin' | 'service_engineer') =>
      (await server.call<Result[]>('GET', query, { role })).body[0]
    await server.rows(`update "control_pcb" set "lifecycle" = 'QUARANTINED' where "id" = '${updating.board.id}'`)
    const admins = await checksFor('admin')
    const plain = { overridable: false, links: [] }
    expect(admins).toMatchObject({ ok: false, kind: 'UPGRADE' })
    expect(admins?.checks).toEqual(
      expect.arrayContaining([
        {
          ...plain,
          code: 'LIFECYCLE',
          ok: false,
          text: 'The board is active',
          obstacle: 'Not in service',
          found: 'Quarantined',
        },
        {
          ...plain,
          code: 'NEW_VERSION',
          ok: true,
          text: 'The board does not run this version yet',
          found: `it runs ${oldVersion}`,
        },
        { ...plain, code: 'SOC', ok: true, text: 'The charge is at least 20 %', found: '63.4%' },
      ]),
    )
    expect(admins?.checks.map(({ code }) => code)).not.toContain('ASSIGNED')
    expect((await checksFor('service_engineer'))?.checks).toContainEqual(
      expect.objectContaining({ code: 'ASSIGNED', ok: false, obstacle: 'The site is not assigned to you' }),
    )
    expect((await server.call('GET', query, { role: 'client' })).status).toBe(403)
  })

  it('of an image under test are the admin’s alone, and prove it', async () => {
    expect(await updating.request({ firmwareId: testingId }, 'moderator')).toMatchObject({
      status: 409,
      body: { code: 'update.pre-checks' },
    })
    const release = () => server.call('PUT', `firmware/${testingId}/status`, { body: { status: 'RELEASED' } })
    expect(await release()).toMatchObject({ status: 400, body: { code: 'firmware.release-reason' } })
    const { id } = await updating.requested({ firmwareId: testingId })
    expect(await server.call('PUT', `firmware/${testingId}/status`, { body: { status: 'ARCHIVED' } })).toMatchObject({
      status: 409,
      body: { code: 'firmware.has-open-updates' },
    })
    await updating.progress(id, 'REBOOTING')
    for (let count = 0; count < 3; count++) await updating.report('2.3.0')
    server.pass(601)
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('SUCCEEDED')
    expect((await release()).body).toMatchObject({ status: 'RELEASED' })
  })

  it('are cancelled at once while they wait, by the board while it loads, and not at all once it installs', async () => {
    const cancel = (id: string) => server.call<TestUpdate>('PUT', `firmware-update/${id}/cancel`)
    const first = await updating.requested()
    expect((await cancel(first.id)).body).toMatchObject({ status: 'CANCELED', failureCode: 'USER' })
    const second = await updating.requested()
    await updating.progress(second.id, 'DOWNLOADING')
    expect((await cancel(second.id)).body).toMatchObject({ status: 'CANCELING' })
    await updating.progress(second.id, 'CANCELED', { failure: 'USER' })
    expect(await updating.statusOf(second.id)).toBe('CANCELED')
    const third = await updating.requested()
    await updating.progress(third.id, 'INSTALLING')
    expect((await cancel(third.id)).status).toBe(409)
    const fourth = await (async () => {
      await updating.progress(third.id, 'FAILED', { failure: 'FLASH' })
      return updating.requested()
    })()
    await updating.progress(fourth.id, 'DOWNLOADING')
    await cancel(fourth.id)
    await updating.progress(fourth.id, 'INSTALLING')
    expect(await updating.statusOf(fourth.id)).toBe('INSTALLING')
  })

  it('begin when their time has come', async () => {
    const scheduledAt = new Date(server.now.getTime() + 3_600_000).toISOString()
    expect(await updating.request({ scheduledAt: new Date(server.now.getTime() - 1_000).toISOString() })).toMatchObject({
      status: 400,
      body: { code: 'update.time' },
    })
    const { id, status } = await updating.requested({ scheduledAt })
    expect(status).toBe('SCHEDULED')
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('SCHEDULED')
    server.pass(3_600)
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('QUEUED')
  })

  it.each<[string, string]>([
    ['for other hardware', `"hardwareRevisions" = '["A1"]'`],
    ['that needs a newer version first', `"minFromVersion" = '2.2.0'`],
    ...['DRAFT', 'DEPRECATED', 'REVOKED', 'ARCHIVED'].map(
      (status) => [`that is ${status}`, `"status" = '${status}'`] satisfies [string, string],
    ),
  ])('are refused for a firmware %s, no matter who asks', async (_, change) => {
    const [before] = await server.rows<{ hardwareRevisions: string; minFromVersion: string; status: string }>(
      `select "hardwareRevisions"::text, "minFromVersion", "status" from "firmware" where "id" = '${releasedId}'`,
    )
    await server.rows(`update "firmware" set ${change} where "id" = '${releasedId}'`)
    const offered = await server.call<{ id: string }[]>('GET', `firmware/for-request-update?controlPcbId=${updating.board.id}`)
    const asked = await updating.request()
    await server.rows(`update "firmware" set "hardwareRevisions" = '${before?.hardwareRevisions}',
      "minFromVersion" = '${before?.minFromVersion}', "status" = '${before?.status}' where "id" = '${releasedId}'`)
    expect(offered.body.map(({ id }) => id)).not.toContain(releasedId)
    expect(asked.status).toBe(409)
    expect((await updating.request()).status).toBe(201)
  })

  it('keep their firmware from being deleted, open or ended', async () => {
    // Boards of the tests above may run it, which is refused first.
    const keptCode = expect.stringMatching(/^firmware\.(?:in-use|has-updates)$/)
    const { id } = await updating.requested()
    expect(await server.call('DELETE', `firmware/${releasedId}`)).toMatchObject({
      status: 409,
      body: { code: keptCode },
    })
    await server.call('PUT', `firmware-update/${id}/cancel`, { body: {} })
    expect(await server.call('DELETE', `firmware/${releasedId}`)).toMatchObject({
      status: 409,
      body: { code: keptCode },
    })
    expect((await server.call('GET', `firmware/${releasedId}`)).status).toBe(200)
  })

  it('are asked for by engineers only where they serve', async () => {
    expect((await updating.request({}, 'service_engineer')).status).toBe(403)
    const [engineer] = await server.rows<{ id: string }>(`select "id" from "user" where "role" = 'service_engineer' limit 1`)
    await server.rows(
      `insert into "service_engineer" ("id", "userId", "essId", "scope", "state") values ('${updating.board.id}', '${engineer?.id}', '${updating.board.essId}', 'FULL', 'ACTIVE')`,
    )
    expect((await updating.request({}, 'service_engineer')).status).toBe(201)
  })

  it('are taken back when their firmware is revoked', async () => {
    const { id } = await updating.requested()
    const { body } = await server.call('PUT', `firmware/${releasedId}/status`, {
      body: { status: 'REVOKED', reason: 'loses packets' },
    })
    expect(body).toMatchObject({ status: 'REVOKED' })
    expect(await updating.shown(id)).toMatchObject({ status: 'CANCELED' })
  })

  it('are made with firmware that can be searched and read page by page, newest first', async () => {
    const offered = (query: string, role: 'admin' | 'moderator' = 'admin') =>
      server.call<{ firmwareVersion: string }[]>('GET', `firmware/for-request-update?${query}`, { role })
    await server.rows(`update "firmware" set "status" = case when "id" = '${testingId}' then 'TESTING' else 'RELEASED' end`)
    const { body, headers } = await offered(`controlPcbId=${updating.board.id}&_start=0&_end=1`)
    expect([body.map(({ firmwareVersion }) => firmwareVersion), headers['x-total-count']]).toEqual([['2.3.0'], '2'])
    expect((await offered('q=2.2')).body).toMatchObject([{ firmwareVersion: nextVersion }])
    expect((await offered('', 'moderator')).body).toMatchObject([{ firmwareVersion: nextVersion }])
  })
})
