import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Role } from '#schema/roles.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { engines } from '#tests/support/databases.ts'
import { type Answer, goodPassword } from '#tests/support/people-server.ts'
import { ProviderBrowser } from '#tests/support/provider-browser.ts'
import { openProviderServer, type ProviderServer } from '#tests/support/provider-server.ts'

const env = {
  OIDC_SCOPES: 'openid email profile groups',
  OIDC_ROLES: 'ops-admins:admin, ops-eng:service_engineer,fitters:installer',
  OIDC_ONLY: 'admin',
}

describe.each(engines)('a role that the provider claims on $name', (engine) => {
  let server: ProviderServer
  let count = 0
  let email = ''
  beforeAll(async () => {
    server = await openProviderServer(engine, { env })
  })
  afterAll(() => server.close())
  beforeEach(() => {
    server.people.pass(16 * 60)
    email = `eva-${++count}@example.com`
  })
  const groups = (...names: string[]) => server.account(`eva-${count}`, { email, email_verified: true, groups: names })
  const add = (role: Role) => server.people.addUser({ email, role })
  const roleOf = async (id: string) => (await server.people.rows(`select "role" from "user" where "id" = '${id}'`))[0]?.role

  it('is the account’s from that sign-in on; sessions with the former one end, and the audit log has it', async () => {
    const id = await add('moderator')
    const former = await server.people.tokenOf(email)
    groups('everybody', 'ops-eng')
    expect((await server.signIn()).body).toMatchObject({ user: { role: 'service_engineer' } })
    expect(await roleOf(id)).toBe('service_engineer')
    expect((await server.people.call('GET', 'auth/me', { token: former })).body.code).toBe('session-ended.role')
    const lines = await server.people.rows(
      `select "action", "before", "after", "reason" from "auditLog" where "entityId" = '${id}' and "entityType" = 'user'`,
    )
    expect(lines).toEqual([
      { action: 'update', before: { role: 'moderator' }, after: { role: 'service_engineer' }, reason: 'oidc' },
    ])
    expect((await server.signIn()).status).toBe(200)
    expect(
      await server.people.rows(`select 1 from "auditLog" where "entityId" = '${id}' and "action" = 'update'`),
    ).toHaveLength(1)
  })

  it('ends the relations that the former one had', async () => {
    const id = await add('service_engineer')
    await server.people.rows(
      `insert into "ess" ("id", "code", "installerId", "lifecycle") values ('of-${id}', 'ESS-${count}', null, 'PLANNED')`,
    )
    await server.people.rows(`insert into "service_engineer" ("id", "essId", "userId", "state", "scope")
      values ('r-${id}', 'of-${id}', '${id}', 'ACTIVE', 'FULL')`)
    groups('fitters')
    expect((await server.signIn()).body).toMatchObject({ user: { role: 'installer' } })
    expect(await server.people.rows(`select "state" from "service_engineer" where "userId" = '${id}'`)).toEqual([
      { state: 'REVOKED' },
    ])
    await server.people.rows(`update "ess" set "installerId" = '${id}' where "id" = 'of-${id}'`)
    groups('ops-eng')
    expect((await server.signIn()).body).toMatchObject({ user: { role: 'service_engineer' } })
    expect(await server.people.rows(`select "installerId" from "ess" where "id" = 'of-${id}'`)).toEqual([{ installerId: null }])
    const lines = await server.people.rows(
      `select "action", "actorId" from "auditLog" where "entityId" = 'of-${id}' and "reason" = 'role-changed' order by "action"`,
    )
    expect(lines).toEqual([
      { action: 'end-access', actorId: id },
      { action: 'update', actorId: id },
    ])
  })

  it('is that of the first row that fits', async () => {
    await add('client')
    groups('ops-eng', 'ops-admins')
    expect((await server.signIn()).body).toMatchObject({ user: { role: 'admin' } })
  })

  it('is refused where no row fits: nobody is raised by a claim that means nothing here', async () => {
    const id = await add('client')
    for (const names of [['admin'], ['service_engineer', 'OPS-ADMINS'], []]) {
      groups(...names)
      const { status, body } = await server.signIn()
      expect([names, status, body.code]).toEqual([names, 403, 'oidc.no-role'])
    }
    expect(await roleOf(id)).toBe('client')
    expect(await server.people.rows(`select 1 from "oidcSubject" where "userId" = '${id}'`)).toEqual([])
    expect((await server.people.login(email)).status).toBe(200)
  })

  it('does not take the last admin, nor a client who owns a system', async () => {
    await server.people.rows(`update "user" set "role" = 'moderator' where "role" = 'admin'`)
    const id = await add('admin')
    groups('ops-eng')
    expect((await server.signIn()).body.code).toBe('user.last-admin')
    expect(await roleOf(id)).toBe('admin')
    email = `owner-${count}@example.com`
    const owner = await add('client')
    await server.people.rows(`insert into "ess" ("id", "ownerId") values ('ess-${count}', '${owner}')`)
    server.account(`owner-${count}`, { email, email_verified: true, groups: ['ops-eng'] })
    expect((await server.signIn()).body.code).toBe('user.owns-systems')
    expect(await roleOf(owner)).toBe('client')
  })

  it('does not take a client who becomes the owner of a system at that moment', async () => {
    const id = await add('client')
    groups('ops-eng')
    const { url, browser } = await server.begin()
    const back = await new ProviderBrowser().signIn(url)
    let answer: Promise<Answer> | undefined
    await inTransaction(server.people.database, async (db) => {
      // As the engine holds the client whom an action names.
      await sql`select 1 from "user" where "id" = ${id} for key share`.execute(db)
      answer = server.finish(back.search.slice(1), browser)
      await sleep(1_000)
      await sql`insert into "ess" ("id", "ownerId") values (${`at-once-${count}`}, ${id})`.execute(db)
    })
    expect((await answer)?.body.code).toBe('user.owns-systems')
    expect(await roleOf(id)).toBe('client')
  })

  it('that signs in through the provider only is told so after the right password alone', async () => {
    await add('admin')
    const right = await server.people.login(email, goodPassword)
    expect([right.status, right.body.code]).toEqual([403, 'oidc.only'])
    expect((await server.people.login(email, 'not the password')).body.code).toBe('login-failed')
    groups('ops-admins')
    expect((await server.signIn()).status).toBe(200)
  })
})
