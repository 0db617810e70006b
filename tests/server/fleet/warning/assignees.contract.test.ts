import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine, openProductTables } from '#tests/support/databases.ts'
import { LiveServer } from '#tests/support/live-server.ts'

type SignedIn = Awaited<ReturnType<LiveServer['signedIn']>>
type Row = Record<string, unknown>

describe.each(oneEngine(import.meta.filename))('the people to whom a warning can be assigned on $name', (engine) => {
  let server: LiveServer
  let admin: SignedIn
  let otherAdmin: SignedIn
  let moderator: SignedIn
  let engineer: SignedIn
  let colleague: SignedIn
  const email = {
    admin: 'vera.admin@fleet.example',
    other: 'otto.admin@fleet.example',
    moderator: 'mona.moderator@fleet.example',
    engineer: 'egon.engineer@fleet.example',
    colleague: 'field.two@fleet.example',
  }
  beforeAll(async () => {
    server = await LiveServer.open(await openProductTables(engine))
    admin = await server.signedIn({ email: email.admin, role: 'admin' })
    otherAdmin = await server.signedIn({ email: email.other, role: 'admin' })
    moderator = await server.signedIn({ email: email.moderator, role: 'moderator' })
    engineer = await server.signedIn({ email: email.engineer, role: 'service_engineer' })
    colleague = await server.signedIn({ email: email.colleague, role: 'service_engineer' })
    for (const [{ id }, firstName, lastName] of [
      [admin, 'Vera', 'Adler'],
      [otherAdmin, '', ''],
      [moderator, 'Mona', 'Maar'],
      [engineer, 'Egon', 'Eck'],
      [colleague, 'Carl', 'Cast'],
    ] as const)
      await server.rows(`update "user" set "firstName" = '${firstName}', "lastName" = '${lastName}' where "id" = '${id}'`)
  })
  afterAll(() => server.close())

  const asked = async ({ token }: SignedIn, query = '', path = 'telemetry-warning/assignees') => {
    const { status, text } = await server.call('GET', `${path}?_start=0&_end=100${query}`, { token })
    expect([query, status]).toEqual([query, 200])
    const rows: Row[] = JSON.parse(text)
    return { text, rows, names: rows.map(({ name }) => name).toSorted() }
  }

  it('are named to a service engineer, whose own address alone is told', async () => {
    const { text, names, rows } = await asked(engineer)
    expect(names).toEqual(['Carl Cast', 'Egon Eck', 'Mona Maar', 'Vera Adler', 'o***@fleet.example'])
    for (const address of [email.admin, email.other, email.moderator, email.colleague]) expect(text).not.toContain(address)
    expect(rows.find(({ id }) => id === engineer.id)).toMatchObject({ email: email.engineer })
  })

  it('are told with their addresses to those who may read them as users, and to nobody else', async () => {
    const toAdmin = await asked(admin)
    for (const address of Object.values(email)) expect(toAdmin.text).toContain(address)
    const toModerator = await asked(moderator)
    expect(toModerator.names).toEqual(['Carl Cast', 'Egon Eck', 'Mona Maar'])
    for (const address of [email.admin, email.other]) expect(toModerator.text).not.toContain(address)
  })

  it('are found by their names, and by an address only where it is told', async () => {
    for (const caller of [admin, moderator, engineer]) {
      expect((await asked(caller, '&q=carl')).names).toEqual(['Carl Cast'])
      expect((await asked(caller, '&q=Cast')).names).toEqual(['Carl Cast'])
    }
    for (const probe of ['q', 'email', 'email_like']) {
      const query = `&${probe}=${encodeURIComponent(email.colleague)}`
      expect((await asked(admin, query)).names).toEqual(['Carl Cast'])
      expect((await asked(engineer, query)).names).toEqual([])
    }
  })

  it('are named by a warning that is assigned to them, without their addresses', async () => {
    await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "active", "raisedAt", "assigneeId", "acknowledgedBy")
      values ('w-1', 'MOSFET_TEMP', 'WARNING', true, now(), '${admin.id}', '${otherAdmin.id}')`)
    const { text, rows } = await asked(engineer, '&id=w-1', 'telemetry-warning')
    expect(rows).toMatchObject([{ assignee: { id: admin.id, name: 'Vera Adler' } }])
    const record = await server.call('GET', 'telemetry-warning/w-1', { token: engineer.token })
    expect(record.status).toBe(200)
    for (const address of [email.admin, email.other]) expect(text + record.text).not.toContain(address)
  })

  describe('of one warning', () => {
    const namesFor = async (caller: SignedIn) => (await asked(caller, '&warningId=w-2')).names
    const assign = (caller: SignedIn, to: SignedIn, id = 'w-2') =>
      server.call('PUT', `telemetry-warning/${id}/assign`, { token: caller.token, body: { userId: to.id } })
    beforeAll(async () => {
      for (const [id, essId] of [
        ['w-2', `'e-1'`],
        ['w-3', 'null'],
      ])
        await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "active", "raisedAt", "essId")
          values ('${id}', 'DOOR_OPEN', 'WARNING', true, now(), ${essId})`)
      const serve = (id: string, { id: userId }: SignedIn, scope: string, state: string) =>
        server.rows(
          `insert into "service_engineer" ("id", "userId", "essId", "scope", "state") values ('${id}', '${userId}', 'e-1', '${scope}', '${state}')`,
        )
      await serve('r-1', engineer, 'FULL', 'ACTIVE')
      await serve('r-2', colleague, 'READ', 'ACTIVE')
    })

    it('are those who may act on its ESS: engineers who serve it with full rights, and those who need no assignment', async () => {
      expect(await namesFor(admin)).toContain('Egon Eck')
      for (const caller of [admin, engineer]) {
        expect(await namesFor(caller)).not.toContain('Carl Cast')
        expect(await namesFor(caller)).toContain('Mona Maar')
      }
    })

    it('are the only ones to whom it is given: it would lie where nobody can act on it', async () => {
      expect((await assign(admin, engineer)).status).toBe(200)
      for (const id of ['w-2', 'w-3'])
        expect(await assign(admin, colleague, id)).toMatchObject({
          status: 400,
          body: { code: 'warning.assignee-not-serving' },
        })
      expect((await assign(admin, moderator, 'w-3')).status).toBe(200)
    })

    it('are told before many warnings are given to one of them, per warning', async () => {
      const check = async (to: SignedIn) => {
        const query = `warningId=w-3&warningId=w-2&userId=${to.id}`
        const { text } = await server.call('GET', `telemetry-warning/assign-check?${query}`, { token: admin.token })
        const found: { warningId: string; checks: { ok: boolean }[] }[] = JSON.parse(text)
        return found.map(({ warningId, checks }) => [warningId, checks.every(({ ok }) => ok)])
      }
      expect(await check(engineer)).toEqual([
        ['w-3', false],
        ['w-2', true],
      ])
      expect(await check(colleague)).toEqual([
        ['w-3', false],
        ['w-2', false],
      ])
      expect(await check(moderator)).toEqual([
        ['w-3', true],
        ['w-2', true],
      ])
    })
  })
})
