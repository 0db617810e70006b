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
})
