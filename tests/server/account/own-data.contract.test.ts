import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

type Section = { name: string; title: string; total: number; rows: Record<string, unknown>[] }

describe.each(oneEngine(import.meta.filename))('the own data of a person on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  let ann = { id: '', token: '', email: '' }
  beforeAll(async () => {
    server = await openPeopleServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    const email = `ann-${++count}@example.com`
    ann = { email, ...(await server.signedIn({ email, role: 'client' })) }
  })

  const ask = (token = ann.token, id = ann.id, headers: Record<string, string> = {}) =>
    server.call('GET', `user/${id}/data`, { token, headers })
  const sectionsOf = ({ body }: { body: Record<string, unknown> }) => body.sections as Section[]
  const rowsOf = (answer: { body: Record<string, unknown> }, name: string) =>
    sectionsOf(answer).find((section) => section.name === name)?.rows ?? []

  it('is one file with account, sessions, devices, what belongs to the person, and what the person did', async () => {
    const staff = await server.signedIn({ email: `staff-${count}@example.com`, role: 'admin' })
    await server.rows(`update "user" set "phone" = '+4912345678', "staffNote" = 'pays late' where "id" = '${ann.id}'`)
    await server.rows(
      `insert into "device" ("id", "userId", "platform", "pushId", "pushIdHash", "isDebug", "label", "createdAt", "lastSeenAt")
        values ('d-${ann.id}', '${ann.id}', 'web', 'push-secret', 'digest-${count}', false, 'Firefox', now(), now())`,
    )
    await server.rows(
      `insert into "ess" ("id", "code", "ownerId") values ('e-${ann.id}', 'OWN-${count}', '${ann.id}'), ('f-${ann.id}', 'GUEST-${count}', null)`,
    )
    await server.rows(
      `insert into "guest" ("id", "essId", "userId", "state", "invitedBy") values ('g-${ann.id}', 'f-${ann.id}', '${ann.id}', 'ACTIVE', '${staff.id}')`,
    )
    await server.rows(`insert into "signInDevice" ("userId", "hash", "usedAt") values ('${ann.id}', 'device-digest', now())`)
    const answer = await ask()
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="my-data-\d{4}-\d\d-\d\d\.json"$/)
    expect(answer.headers['content-type']).toContain('application/json')
    expect(rowsOf(answer, 'account')).toEqual([expect.objectContaining({ email: ann.email, phone: '+4912345678' })])
    expect(rowsOf(answer, 'session')).toHaveLength(1)
    expect(rowsOf(answer, 'device')).toHaveLength(1)
    expect(rowsOf(answer, 'signInDevice')).toEqual([{ usedAt: expect.any(String) }])
    expect(rowsOf(answer, 'ess.ownerId')).toEqual([{ id: `e-${ann.id}`, code: `OWN-${count}` }])
    expect(rowsOf(answer, 'guest.userId')).toEqual([expect.objectContaining({ essId: `f-${ann.id}`, state: 'ACTIVE' })])
    expect(rowsOf(answer, 'journal').map(({ action }) => action)).toEqual(expect.arrayContaining(['login']))
    for (const foreign of [staff.id, 'staff-', 'pays late', 'push-secret', 'device-digest', 'passwordHash', 'argon2'])
      expect(answer.text, foreign).not.toContain(foreign)
  })

  it('has the parts of records that name the person, and nothing of others beside them', async () => {
    const eve = await server.signedIn({ email: `eve-${count}@example.com`, role: 'service_engineer' })
    const other = await server.signedIn({ email: `other-${count}@example.com`, role: 'service_engineer' })
    const comments = [
      { at: '2026-01-02T03:04:05.000Z', by: 'Eve', byId: eve.id, text: 'the lid was loose' },
      { at: '2026-01-02T03:05:05.000Z', by: 'Somebody Else', byId: other.id, text: 'a stranger' },
    ]
    const mentions = [{ at: '2026-01-02T03:06:05.000Z', by: eve.id, byId: other.id, text: `about ${eve.id}` }]
    await server.rows(`insert into "telemetry_warning" ("id", "comments") values
      ('w-${eve.id}', '${JSON.stringify(comments)}'), ('m-${eve.id}', '${JSON.stringify(mentions)}'), ('n-${eve.id}', '[]')`)
    const maintenance = { until: '2030-01-01T00:00:00Z', reason: 'yearly inspection', byId: eve.id }
    await server.rows(
      `insert into "ess" ("id", "code", "maintenance") values ('m-${eve.id}', 'MAINT-${count}', '${JSON.stringify(maintenance)}')`,
    )
    const answer = await ask(eve.token, eve.id)
    expect(answer.status, answer.text).toBe(200)
    expect(rowsOf(answer, 'telemetry-warning.comments')).toEqual([
      expect.objectContaining({
        id: `w-${eve.id}`,
        comments: [{ at: '2026-01-02T03:04:05.000Z', by: 'Eve', text: 'the lid was loose' }],
      }),
    ])
    expect(rowsOf(answer, 'ess.maintenance')).toEqual([
      {
        id: `m-${eve.id}`,
        code: `MAINT-${count}`,
        maintenance: [{ until: '2030-01-01T00:00:00Z', reason: 'yearly inspection' }],
      },
    ])
    expect(answer.text).not.toMatch(/a stranger|Somebody Else/)
    expect(answer.text).not.toContain(other.id)
  })

  it('is titled in the language of the person', async () => {
    const titles = async (language: string) =>
      sectionsOf(await ask(ann.token, ann.id, { 'accept-language': language }))[0]?.title
    expect([await titles('en'), await titles('ru')]).toEqual(['Account', 'Учётная запись'])
  })

  it('is given to nobody else, noted in the audit log, and five times an hour', async () => {
    const admin = await server.signedIn({ email: `admin-${count}@example.com`, role: 'admin' })
    expect((await ask(admin.token)).status).toBe(403)
    expect((await server.call('GET', `user/${ann.id}/data`, {})).status).toBe(401)
    const answers = []
    for (let time = 0; time < 6; time++) answers.push((await ask()).status)
    expect(answers).toEqual([200, 200, 200, 200, 200, 429])
    const noted = await server.rows(
      `select "actorId", "result" from "auditLog" where "entityId" = '${ann.id}' and "action" = 'export' and "result" = 'OK'`,
    )
    expect(noted).toEqual(Array(5).fill({ actorId: ann.id, result: 'OK' }))
    server.pass(3601)
    const again = await server.tokenOf(ann.email)
    expect((await ask(again)).status).toBe(200)
  })
})
