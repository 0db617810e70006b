import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { nextVersion, oldVersion, releasedId, type TestUpdate, UpdatingBoard } from '#tests/support/updating-board.ts'
import { damagedWhere, tooSlowWhere, withTrigger } from '#tests/support/with-trigger.ts'

describe.each(oneEngine(import.meta.filename))('firmware updates on $name', (engine) => {
  let server: BoardServer
  let updating: UpdatingBoard
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    updating = await UpdatingBoard.add(server)
  })

  it('wait for their board, follow what it reports, and succeed when its packets have the new version', async () => {
    const { id, ...made } = await updating.requested()
    expect(made).toMatchObject({
      status: 'QUEUED',
      kind: 'UPGRADE',
      fromVersion: oldVersion,
      toVersion: nextVersion,
      attempt: 1,
      maxAttempts: 3,
      essId: updating.board.essId,
    })
    expect((await server.call('GET', `control-pcb/${updating.board.id}`)).body).toMatchObject({ openUpdateId: id })
    await updating.progress(id, 'DOWNLOADING', { receivedB: 400 })
    expect(await updating.shown(id)).toMatchObject({ status: 'DOWNLOADING', progressPct: 50, bytesSent: 400 })
    await updating.install(id)
    expect(await updating.statusOf(id)).toBe('REBOOTING')
    await updating.report()
    expect(await updating.statusOf(id)).toBe('REBOOTING')
    await updating.says('BOOT', { firmwareVersion: nextVersion, resetReason: 'FW_UPDATE', previousVersion: oldVersion })
    expect(await updating.statusOf(id)).toBe('CONFIRMING')
    for (let count = 0; count < 2; count++) await updating.report(nextVersion)
    server.pass(601)
    await updating.advance()
    expect(await updating.shown(id)).toMatchObject({
      status: 'SUCCEEDED',
      progressPct: 100,
      finishedAt: server.now.toISOString(),
      confirmedPackets: 3,
    })
    const { events } = await updating.shown(id)
    expect(events.map(({ code }) => code)).toEqual(['ATTEMPT', null, null, null, null, 'STARTED', 'CONFIRMED'])
    expect(events.at(-1)).toMatchObject({ from: 'CONFIRMING', values: { packets: 3, version: nextVersion } })
    expect(events.map(({ to, source }) => `${to} ${source}`)).toEqual([
      'QUEUED USER',
      'DOWNLOADING BOARD',
      'VERIFYING BOARD',
      'INSTALLING BOARD',
      'REBOOTING BOARD',
      'CONFIRMING BOARD',
      'SUCCEEDED SERVER',
    ])
    expect((await server.call('GET', `firmware/${releasedId}`)).body).toMatchObject({ stats: { succeeded: 1, openUpdates: 0 } })
  })

  it('are not confirmed by too few packets, too early, nor while something critical came up', async () => {
    const { id } = await updating.requested()
    await updating.install(id)
    await updating.says('BOOT', { firmwareVersion: nextVersion })
    await updating.report(nextVersion)
    server.pass(700)
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('CONFIRMING')
    await updating.report(nextVersion)
    await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "controlPcbId", "active", "suppressed", "raisedAt")
      values ('${id}', 'OVER_TEMP', 'CRITICAL', '${updating.board.id}', true, false, '${server.now.toISOString()}')`)
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('CONFIRMING')
    server.pass(1_200)
    await updating.advance()
    expect(await updating.shown(id)).toMatchObject({ status: 'EXPIRED', failureCode: 'TIMEOUT' })
  })

  it('succeed though many others may not, since something critical came up there', async () => {
    const since = server.now.toISOString()
    const others = `generate_series(1, 30) "n"`
    await server.rows(`insert into "firmware_update" ("id", "controlPcbId", "toVersion", "status", "confirmedPackets", "stateSince", "deadlineAt")
      select '00-' || "n", 'other-' || "n", '${nextVersion}', 'CONFIRMING', 3, '${since}', '${since}'::timestamptz + interval '30 min' from ${others}`)
    await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "controlPcbId", "active", "suppressed", "raisedAt")
      select '00-' || "n", 'OVER_TEMP', 'CRITICAL', 'other-' || "n", true, false, '${since}' from ${others}`)
    const { id } = await updating.requested()
    await updating.install(id)
    for (let count = 0; count < 3; count++) await updating.report(nextVersion)
    server.pass(601)
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('SUCCEEDED')
    expect(await server.rows(`select count(*) as "n" from "firmware_update" where "status" = 'CONFIRMING'`)).toEqual([
      { n: 30 },
    ])
    await server.rows(`delete from "firmware_update" where "id" like '00-%'`)
    await server.rows(`delete from "telemetry_warning" where "id" like '00-%'`)
  })

  it('are rolled back when the board comes back with the old version', async () => {
    const { id } = await updating.requested()
    await updating.install(id)
    await updating.says('BOOT', { firmwareVersion: oldVersion, resetReason: 'FW_UPDATE' })
    expect(await updating.shown(id)).toMatchObject({ status: 'ROLLED_BACK', finishedAt: server.now.toISOString() })
  })

  it.each([
    ['of a wrong clock', 400 * 86_400],
    ['that came late', 300],
  ])('are not rolled back by an older frame %s', async (_kind, agoS) => {
    const { id } = await updating.requested()
    await updating.install(id)
    await updating.says('BOOT', { firmwareVersion: nextVersion, resetReason: 'FW_UPDATE' })
    const older = { seq: 0, time: new Date(server.now.getTime() - agoS * 1000), uid: updating.board.uid }
    const values = { firmwareVersion: oldVersion, rebootCount: 3 }
    expect((await server.send(updating.board, telemetryFrame(values, older))).body).toMatchObject({ accepted: 1 })
    expect(await updating.shown(id)).toMatchObject({ status: 'CONFIRMING', confirmedPackets: 1 })
    for (let count = 0; count < 2; count++) await updating.report(nextVersion, { rebootCount: 4 })
    server.pass(601)
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('SUCCEEDED')
  })

  it('go on though packets between are lost', async () => {
    const { id } = await updating.requested()
    await updating.progress(id, 'INSTALLING')
    expect(await updating.statusOf(id)).toBe('INSTALLING')
    await updating.report(nextVersion)
    expect(await updating.statusOf(id)).toBe('CONFIRMING')
    await updating.progress(id, 'DOWNLOADING')
    expect(await updating.statusOf(id)).toBe('CONFIRMING')
  })

  it('do not listen to a board that speaks of another update', async () => {
    const { id } = await updating.requested()
    await updating.progress(releasedId, 'DOWNLOADING')
    expect(await updating.statusOf(id)).toBe('QUEUED')
  })

  it('are tried again by themselves where that may help, as often as was allowed', async () => {
    const { id } = await updating.requested({ maxAttempts: 2 })
    await updating.progress(id, 'DOWNLOADING')
    await updating.progress(id, 'FAILED', { failure: 'CHECKSUM' })
    expect(await updating.shown(id)).toMatchObject({ status: 'FAILED', failureCode: 'CHECKSUM' })
    const open = async () =>
      (await server.call<TestUpdate[]>('GET', `firmware-update?controlPcbId=${updating.board.id}&finishedAt_null=true`)).body
    const [again] = await open()
    expect(again).toMatchObject({ status: 'QUEUED', attempt: 2, retryOfId: id })
    await updating.progress(String(again?.id), 'FAILED', { failure: 'CHECKSUM' })
    expect(await open()).toEqual([])
    const { status, body } = await server.call<TestUpdate>('POST', `firmware-update/${again?.id}/retry`)
    expect(status).toBe(201)
    expect(await open()).toMatchObject([{ id: body.id, attempt: 3, retryOfId: again?.id, status: 'QUEUED' }])
  })

  it('are not tried again where it would not help', async () => {
    const { id } = await updating.requested()
    await updating.progress(id, 'FAILED', { failure: 'INCOMPATIBLE' })
    expect((await server.call<TestUpdate[]>('GET', `firmware-update?controlPcbId=${updating.board.id}`)).body).toHaveLength(1)
  })

  it.each([
    ['QUEUED', [], 7 * 86_400, 'EXPIRED', 'OFFLINE'],
    ['DOWNLOADING', ['DOWNLOADING'], 601, 'EXPIRED', 'TIMEOUT'],
    ['VERIFYING', ['VERIFYING'], 301, 'FAILED', 'TIMEOUT'],
    ['INSTALLING', ['INSTALLING'], 601, 'EXPIRED', 'TIMEOUT'],
    ['REBOOTING', ['REBOOTING'], 601, 'EXPIRED', 'TIMEOUT'],
  ])('never hang in %s', async (_state, reports, seconds, status, failureCode) => {
    const { id } = await updating.requested({ maxAttempts: 1 })
    for (const state of reports) await updating.progress(id, state)
    server.pass(seconds - 2)
    await updating.advance()
    expect(await updating.shown(id)).toMatchObject({ finishedAt: null })
    server.pass(2)
    await updating.advance()
    expect(await updating.shown(id)).toMatchObject({ status, failureCode })
  })

  it('are not given up for a time in which no server listened, until their board could have spoken', async () => {
    const { id } = await updating.requested({ maxAttempts: 1 })
    await updating.install(id)
    server.pass(3_600)
    await server.rows(`insert into "lease" ("name", "holder", "expiresAt", "heldSince")
      select 'jobs', 'another', now(), greatest(now(), "progressAt") + interval '1 s' from "firmware_update" where "id" = '${id}'`)
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('REBOOTING')
    await server.rows(`update "lease" set "heldSince" = now() - interval '6 min'`)
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('EXPIRED')
    await server.rows('delete from "lease"')
  })

  it.each([
    ['fails', damagedWhere],
    ['takes too long', tooSlowWhere],
  ])('are given up in time although one among them %s, whose failure is told', async (_, brokenWhere) => {
    const other = await UpdatingBoard.add(server)
    const [broken, late] = [await updating.requested({ maxAttempts: 1 }), await other.requested({ maxAttempts: 1 })]
    await updating.install(broken.id)
    await other.install(late.id)
    server.pass(3_600)
    const trigger = { table: 'firmware_update', at: 'before update', act: brokenWhere(`new."id" = '${broken.id}'`) }
    await withTrigger(server, trigger, () =>
      expect(updating.advance()).rejects.toMatchObject({ cause: { message: `update ${broken.id} failed` } }),
    )
    expect([await updating.statusOf(broken.id), await other.statusOf(late.id)]).toEqual(['REBOOTING', 'EXPIRED'])
    await updating.advance()
    expect(await updating.statusOf(broken.id)).toBe('EXPIRED')
  })

  it('may load for long while something moves, but not for ever', async () => {
    const { id } = await updating.requested({ maxAttempts: 1 })
    for (let minutes = 0; minutes <= 56; minutes += 8) {
      await updating.progress(id, 'DOWNLOADING', { progressPct: minutes })
      await updating.advance()
      expect(await updating.statusOf(id)).toBe('DOWNLOADING')
      server.pass(480)
    }
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('EXPIRED')
  })
})
