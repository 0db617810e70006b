import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepHouse } from '#server/account/housekeeping-part.ts'
import { pruneEvents } from '#server/account/live/event-store.ts'
import { engines } from '#tests/support/databases.ts'
import { type Caller, callerWith, Maker, type Person } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { file, row } from '#tests/support/import-file.ts'

const name = 'Zephyrine Quillfeather'
const email = 'zephyrine@quillfeather.example'

describe.each(engines)('an erased member of the staff on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  let erased: Person
  let tokenOfErased = ''
  let warningId = ''
  let essId = ''
  let left: string[]
  let folder: string
  let time: string
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5', DEMO_LIVE: '0' })
    maker = new Maker(server, await server.as('admin'))
    const { id, token } = await server.signedIn({ email, role: 'admin', firstName: 'Zephyrine' })
    await server.rows(`update "user" set "lastName" = 'Quillfeather' where "id" = '${id}'`)
    erased = { id, email, ...callerWith(server, token) }
    tokenOfErased = token
    await leaveTraces()
    left = tablesOf(await found(new RegExp(erased.id)))
    await eraseAll()
  }, 120_000)
  afterAll(() => server?.close())

  const done = async (answer: ReturnType<Caller['get']>, expected = [200, 201, 202, 204]) => {
    const { status, text, body } = await answer
    expect(expected, text).toContain(status)
    return body
  }

  /** Traces in every kind of place: columns, groups, items of lists, tables without a definition, files. */
  const leaveTraces = async () => {
    const me = erased
    const site = await done(me.post('ess', maker.essFacts()))
    essId = String(site.id)
    const until = new Date(server.now + 3_600_000).toISOString()
    await done(me.put(`ess/${essId}/maintenance`, { until, reason: 'yearly inspection' }))
    const board = await maker.board()
    await done(me.post(`ess/${essId}/attach-control-pcb`, { controlPcbId: board.id, role: 'MAIN' }))
    await done(me.post(`control-pcb/${board.id}/device-key`))
    const { desired } = await done(me.get(`control-pcb/${board.id}/configuration`))
    const wanted = { ...Object(desired), reportIntervalS: 120 }
    await done(me.put(`control-pcb/${board.id}/configuration`, { desired: wanted, baseVersion: 1, confirmCode: board.code }))
    warningId = `w-${board.id}`
    await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "essId", "controlPcbId", "active", "acknowledged",
        "suppressed", "latched", "raisedAt", "startedAt", "lastSeenAt", "comments", "maintenance")
      values ('${warningId}', 'DOOR_OPEN', 'WARNING', '${essId}', '${board.id}', true, false, false, false, now(), now(), now(),
        '[{"at":"2026-01-01T00:00:00.000Z","by":"${name}","text":"from before the ids"},
          {"at":"2026-01-01T00:00:00.000Z","by":"Somebody Else","text":"a stranger"}]',
        '{"until":"${until}","byId":"${me.id}"}')`)
    await done(me.post(`telemetry-warning/${warningId}/comment`, { text: 'the lid was loose' }))
    await done(maker.admin.post(`telemetry-warning/${warningId}/comment`, { text: 'thank you' }))
    const { version } = await done(maker.admin.get(`user/${me.id}`))
    await done(maker.admin.put(`user/${me.id}`, { version, lastName: 'Plumewright' }))
    // The message was pruned since.
    await server.rows(`insert into "auditLog" ("id", "at", "action", "entityType", "entityId", "code", "result")
      values (gen_random_uuid(), now(), 'send-again', 'undelivered-message', 'pruned', '${email}', 'OK')`)
    for (const verb of ['acknowledge', 'take', 'snooze', 'open-case'])
      await done(me.put(`telemetry-warning/${warningId}/${verb}`, verb === 'snooze' ? { period: 'HOUR', reason: 'parts' } : {}))
    await done(maker.admin.get('user?q=Quillf'))
    await done(maker.admin.get(`user?email=${encodeURIComponent(email)}`))
    await done(maker.admin.get('user?role=admin'))
    const sent = await server.call('POST', 'import/ess', {
      token: tokenOfErased,
      body: file(row('ERASED-00001')),
      headers: { 'content-type': 'text/csv' },
    })
    expect([200, 201], sent.text).toContain(sent.status)
    const invited = await done(
      me.post('user', { email: 'new@test.example', role: 'client', firstName: 'Ann', lastName: 'Lee' }),
    )
    await done(me.delete(`user/${String(invited.id)}/lock`, { reason: 'asked for it' }))
    const engineer = await maker.person('service_engineer')
    await done(me.post(`ess/${essId}/invite-service-engineer`, { userId: engineer.id, scope: 'READ' }))
    await done(me.post('webhook', { name: 'Desk', url: 'https://hooks.example.com/ess', events: ['record.created'] }))
    await done(me.post(`user/${me.id}/change-email`, { email: 'zephyrine@elsewhere.example', password: 'tiny-otter-waves-42' }))
    await server.rows(`insert into "warningThreshold" ("key", "delayS", "levels", "updatedAt", "updatedBy")
      values ('ERASED', 1, '{}', now(), '${me.id}')`)
    await server.rows(`insert into "warningNotice" ("warningId", "severity", "userId", "dueAt")
      values ('${warningId}', 'WARNING', '${me.id}', now() + interval '90 days')`)
    await server.rows(`insert into "mailJob" ("id", "mail", "dueAt")
      values ('late', '{"to":"${email}","language":"en","template":"warnings"}', now() + interval '90 days')`)
  }

  const found = async (pattern: RegExp, without: readonly string[] = []) => {
    const tables = await server.rows<{ name: string }>(`select table_name as "name" from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'`)
    const texts: string[] = []
    for (const { name: table } of tables.filter((one) => !without.includes(one.name)))
      for (const { text } of await server.rows<{ text: string }>(
        `select row_to_json("t")::text as "text" from "${table}" as "t"`,
      ))
        if (pattern.test(text)) texts.push(`${table}: ${text}`)
    return texts
  }
  const tablesOf = (texts: readonly string[]) => [...new Set(texts.map((text) => text.split(':')[0] ?? ''))]

  const eraseAll = async () => {
    await done(maker.admin.delete(`user/${erased.id}`))
    server.pass(30 * 86_400 + 60)
    folder = join(server.folder, 'outbox')
    await mkdir(folder, { recursive: true })
    time = new Date(server.now).toISOString().replace(/\D/g, '')
    await writeFile(join(folder, `${time}-0123456789ab.json`), JSON.stringify({ to: email, text: name }))
    await writeFile(join(folder, `${time}-ba9876543210.json`), JSON.stringify({ to: 'ann@test.example', text: 'Hello' }))
    await keepHouse(server.context)
    // Open pages are told of the erasure itself by an event with the id, which is gone after a day.
    await pruneEvents(server.database.kysely, new Date(new Date(server.now).getTime() + 2 * 86_400_000))
  }

  it('is named by no table and no file, and by id in the audit log alone', async () => {
    const id = new RegExp(erased.id)
    expect(left).toEqual(
      expect.arrayContaining(['ess', 'telemetry_warning', 'configuration', 'deviceKey', 'importJob', 'warningThreshold']),
    )
    expect(await found(id, ['auditLog'])).toEqual([])
    expect(await found(/quillfeather|plumewright/i)).toEqual([])
    const mails = await readdir(folder)
    const texts = await Promise.all(mails.map((one) => readFile(join(folder, one), 'utf8')))
    expect(mails).toContain(`${time}-ba9876543210.json`)
    expect(mails).not.toContain(`${time}-0123456789ab.json`)
    expect(texts.filter((text) => text.includes(`"to":"${email}"`))).toEqual([])
    expect(tablesOf(await found(id))).toEqual(['auditLog'])
  })

  it('leaves of the lists by which others looked for him how many rows they had', async () => {
    const lists = await server.rows<{ after: { filters?: object; rows: number } }>(
      `select "after" from "auditLog" where "action" = 'list' and "entityType" = 'user' order by "at", "id"`,
    )
    expect(lists.map(({ after }) => [after.filters, after.rows > 0])).toEqual([
      [undefined, true],
      [undefined, true],
      [{ role: 'admin' }, true],
    ])
  })

  it('leaves the comments and the work that others see, without a name', async () => {
    const admin = callerWith(server, await server.tokenOf('admin@example.com', server.context.config.demoPassword))
    const { comments } = await done(admin.get(`telemetry-warning/${warningId}`))
    const written = (comments as { by: string | null; text: string }[]).map(({ by, text }) => [by, text])
    expect(written.slice(0, 3)).toEqual([
      [null, 'from before the ids'],
      ['Somebody Else', 'a stranger'],
      [null, 'the lid was loose'],
    ])
    expect(written[3]?.[0]).toEqual(expect.any(String))
    // It is over by now: the record does not show it any more, and the row has it.
    const [site] = await server.rows<{ maintenance: unknown }>(`select "maintenance" from "ess" where "id" = '${essId}'`)
    expect(site?.maintenance).toMatchObject({ reason: 'yearly inspection', byId: null })
  })
})
