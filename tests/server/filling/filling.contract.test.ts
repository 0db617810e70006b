import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DemoFleet, Outbox } from '#schema/wire/import-report.ts'
import { engines, oneEngine } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

describe.each(oneEngine(import.meta.filename))('filling on $name', (engine) => {
  let server: FleetServer
  let token: string
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '12' })
    token = await server.as('admin')
  }, 120_000)
  afterAll(() => server?.close())

  const fleet = async () => (await server.call('GET', 'demo-fleet', { token })).body as DemoFleet
  const counts = async () => {
    const tables = [
      'user',
      'ess',
      'control_pcb',
      'firmware',
      'guest',
      'invitation',
      'configuration',
      'boardState',
      'credential',
    ]
    const parts = tables.map((table) => `(select count(*) from "${table}") as "${table}"`)
    return (await server.rows<Record<string, number>>(`select ${parts.join(', ')}`))[0] ?? {}
  }

  /** A case file of a warning of a demo board, with a sample that outlived its month. */
  const openDemoCase = async () => {
    const [warning] = await server.rows<{ id: string; board: string }>(
      `insert into "telemetry_warning" ("id", "essId", "controlPcbId", "code", "severity", "active", "raisedAt", "createdAt", "updatedAt", "version")
        select gen_random_uuid()::text, "essId", "id", 'OVER_TEMP', 'CRITICAL', true, now(), now(), now(), 1 from "control_pcb"
        where "role" = 'MAIN' and "essId" is not null limit 1 returning "id", "controlPcbId" as "board"`,
    )
    const opened = await server.call('PUT', `telemetry-warning/${warning?.id}/open-case`, { token, body: {} })
    expect(opened.status).toBeLessThan(300)
    await server.rows(`insert into "caseSample" ("controlPcbId", "ts", "sample") values ('${warning?.board}', now(), '{}')`)
  }

  it('knows which records are the demo fleet', async () => {
    expect(await fleet()).toMatchObject({ allowed: true, ess: 12, boards: 16, firmware: 6 })
    expect((await fleet()).people).toBe(((await counts()).user ?? 0) - 5)
  })

  it('makes no second fleet beside the first, and removes none that was not looked at', async () => {
    expect(await server.call('POST', 'demo-fleet', { token, body: { seed: 2, size: 5 } })).toMatchObject({
      status: 409,
      body: { code: 'demo.exists' },
    })
    expect(await server.call('DELETE', 'demo-fleet', { token, body: { ess: 11 } })).toMatchObject({
      status: 409,
      body: { code: 'demo.changed' },
    })
    expect((await server.call('DELETE', 'demo-fleet', { token, body: {} })).status).toBe(400)
    expect((await server.call('POST', 'demo-fleet', { token, body: { seed: 2, size: 501 } })).status).toBe(400)
    expect((await fleet()).ess).toBe(12)
  })

  it('removes the fleet with all that belongs to it, and leaves what is not the demo’s', async () => {
    const body = { code: 'OWN-000001', name: 'Own', profile: 'HOME', chemistry: 'LFP', location: { timezone: 'Europe/Berlin' } }
    const facts = { ratedEnergyWh: 10_000, ratedChargePowerW: 5_000, ratedDischargePowerW: 5_000 }
    const own = (await server.call('POST', 'ess', { token, body: { ...body, ...facts } })).body
    const board = { code: 'PCB-0000F1', uid: '0000000000F1', hardwareRevision: 'B1' }
    const ownBoard = (await server.call('POST', 'control-pcb', { token, body: board })).body
    const [demo] = await server.rows<{ id: string; userId: string }>(
      `select e."id", u."id" as "userId" from "ess" e, "user" u where e."code" = 'ESS-000002' and u."email" = 'client002@example.com'`,
    )
    await server.rows(`update "ess" set "ownerId" = '${demo?.userId}' where "id" = '${own.id}'`)
    await server.rows(`update "control_pcb" set "essId" = '${demo?.id}', "role" = 'MODULE' where "id" = '${ownBoard.id}'`)

    await openDemoCase()
    const { status, body: left } = await server.call('DELETE', 'demo-fleet', { token, body: { ess: 12 } })
    expect(await server.rows(`select 1 from "case_file" union all select 1 from "caseSample"`)).toEqual([])
    expect({ status, left }).toEqual({ status: 200, left: { allowed: true, ess: 0, boards: 0, people: 0, firmware: 0 } })
    expect(await counts()).toMatchObject({
      user: 5,
      ess: 1,
      control_pcb: 1,
      firmware: 0,
      guest: 0,
      configuration: 1,
      boardState: 0,
      credential: 5,
    })
    expect(await server.rows(`select "ownerId", "version" from "ess"`)).toEqual([{ ownerId: null, version: 2 }])
    expect(await server.rows(`select "essId", "role" from "control_pcb"`)).toEqual([{ essId: null, role: null }])
    expect((await server.call('GET', 'auth/me', { token })).status).toBe(200)
  })

  it('makes a fleet again, the same for the same number, for the accounts that are there', async () => {
    const made = await server.call('POST', 'demo-fleet', { token, body: { seed: 7, size: 5 } })
    expect(made.body).toMatchObject({ ess: 5, firmware: 6 })
    const first = await server.rows(
      `select "code", "name", "serialNumber" from "ess" where "code" like 'ESS-%' order by "code"`,
    )
    expect(((await counts()).user ?? 0) - (await fleet()).people).toBe(5)
    const client = await server.as('client')
    const sites = (await server.call('GET', 'dashboard/summary', { token: client })).body.sites as unknown[]
    expect(sites.length).toBeGreaterThan(0)
    await server.call('DELETE', 'demo-fleet', { token, body: { ess: 5 } })
    await server.call('POST', 'demo-fleet', { token, body: { seed: 7, size: 5 } })
    expect(
      await server.rows(`select "code", "name", "serialNumber" from "ess" where "code" like 'ESS-%' order by "code"`),
    ).toEqual(first)
    await server.call('DELETE', 'demo-fleet', { token, body: { ess: 5 } })
  })

  it('takes no codes that belong to another person', async () => {
    await server.rows(`update "ess" set "code" = 'ESS-000003'`)
    const { status, body } = await server.call('POST', 'demo-fleet', { token, body: { seed: 1, size: 5 } })
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { code: 'demo.code-taken', message: expect.stringContaining('ESS-000003') },
    })
    expect(await fleet()).toMatchObject({ ess: 0, people: 0 })
  })

  it('writes to the audit log who has made and removed a fleet', async () => {
    const rows = await server.rows(
      `select "action" from "auditLog" where "entityType" = 'demo-fleet' and "result" = 'OK' order by "at", "id"`,
    )
    expect(rows.map(({ action }) => action)).toEqual(['delete', 'create', 'delete', 'create', 'delete'])
  })

  it('shows the mails that nobody has sent, newest first, and gives out a link to anyone who reads one, which is noted', async () => {
    for (const email of ['first@test.example', 'second@test.example'])
      await server.call('POST', 'user', { token, body: { email, role: 'installer', firstName: 'Ann', lastName: 'Lee' } })
    const link = await server.linkTo('second@test.example')
    const { active, mails } = (await server.call('GET', 'outbox', { token })).body as Outbox
    expect(active).toBe(true)
    expect(mails.slice(0, 2).map(({ to }) => to)).toEqual(['second@test.example', 'first@test.example'])
    expect(JSON.stringify(mails)).not.toContain('token=')
    const letter = await server.call('GET', `outbox/${mails[0]?.id}`, { token })
    expect(letter.body).toMatchObject({
      to: 'second@test.example',
      link: expect.stringMatching(new RegExp(`/register/complete#token=${link}$`)),
    })
    const [read] = await server.rows(`select * from "auditLog" where "entityType" = 'outbox' and "result" = 'OK'`)
    expect(read).toMatchObject({ action: 'read', code: 'second@test.example' })
    for (const id of ['..%2f..%2fetc%2fpasswd', '00000000000000000-000000000000', 'x'])
      expect([400, 404]).toContain((await server.call('GET', `outbox/${id}`, { token })).status)
  })

  it('asks for a fresh confirmation before it gives out a letter, whose link works', async () => {
    const own = await server.tokenOf('admin@example.com', server.context.config.demoPassword)
    const { mails } = (await server.call('GET', 'outbox', { token: own })).body as Outbox
    const read = () => server.call('GET', `outbox/${mails[0]?.id}`, { token: own })
    expect((await read()).status).toBe(200)
    server.pass(10 * 60)
    const refused = await read()
    expect([refused.status, refused.body.code]).toEqual([403, 'confirmation-needed'])
    expect(refused.text).not.toContain('token=')
    expect((await server.call('GET', 'outbox', { token: own })).status).toBe(200)
    const body = { password: server.context.config.demoPassword }
    expect((await server.call('POST', 'auth/confirm', { token: own, body })).status).toBe(200)
    expect((await read()).status).toBe(200)
  })
})

describe('filling of a server that is no demo and has a mail server', () => {
  it('has no demo fleet to make or remove, and keeps no mails', async () => {
    const [engine] = engines
    if (!engine) throw new Error('no engine')
    const password = 'tiny-otter-waves-42'
    const server = await FleetServer.open(engine, {
      DEMO: '0',
      ADMIN_EMAIL: 'root@test.example',
      ADMIN_PASSWORD: password,
      SMTP_URL: 'smtp://127.0.0.1:1',
    })
    try {
      const token = await server.tokenOf('root@test.example', password)
      expect((await server.call('GET', 'demo-fleet', { token })).body).toMatchObject({ allowed: false, ess: 0 })
      expect(await server.call('POST', 'demo-fleet', { token, body: { seed: 1, size: 5 } })).toMatchObject({
        status: 409,
        body: { code: 'demo.off' },
      })
      expect(await server.call('DELETE', 'demo-fleet', { token, body: { ess: 0 } })).toMatchObject({
        status: 409,
        body: { code: 'demo.off' },
      })
      expect((await server.call('GET', 'outbox', { token })).body).toEqual({ active: false, mails: [] })
    } finally {
      await server.close()
    }
  }, 60_000)
})
