import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { addHolder, confirmBy } from '#tests/support/passkey-people.ts'
import { goodPassword, openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'
import { openProviderServer, type ProviderServer } from '#tests/support/provider-server.ts'

const agedSession = (id: string) =>
  `update "session" set "confirmedAt" = "confirmedAt" - interval '1 h' where "userId" = '${id}'`

const asksIn =
  (people: PeopleServer, { id, token }: { id: string; token: string }) =>
  async (body: object) => {
    const answer = await people.call('POST', `user/${id}/change-email`, { token, body })
    return { status: answer.status, code: answer.body.code, pendingEmail: answer.body.pendingEmail }
  }

describe.each(oneEngine(import.meta.filename))('a new address of one’s own on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  beforeAll(async () => {
    server = await openPeopleServer(engine, { TOKEN_TTL_S: '3600' })
  })
  afterAll(() => server.close())
  beforeEach(() => {
    count += 1
  })

  it('is confirmed by a passkey where there is one, and not by the password any more', async () => {
    const holder = await addHolder(server, `ann-${count}@example.com`)
    const ask = asksIn(server, holder)
    await server.rows(agedSession(holder.id))
    const email = `ann-new-${count}@example.com`
    expect((await ask({ email })).code).toBe('confirmation-needed')
    expect((await ask({ email, password: goodPassword })).code).toBe('confirmation-needed')
    expect(await server.rows(`select from "user" where "pendingEmail" = '${email}'`)).toEqual([])
    server.pass(1)
    expect((await confirmBy(server, holder.token, (options) => holder.passkey.use(options))).status).toBe(200)
    expect(await ask({ email })).toMatchObject({ status: 200, pendingEmail: email })
  })

  it('is not confirmed by the sign-in, however fresh it is, nor after five minutes', async () => {
    const holder = await addHolder(server, `ann-${count}@example.com`)
    const ask = asksIn(server, holder)
    await server.rows(`update "session" set "confirmedAt" = "createdAt" where "userId" = '${holder.id}'`)
    const email = `ann-new-${count}@example.com`
    expect((await ask({ email })).code).toBe('confirmation-needed')
    server.pass(1)
    expect((await confirmBy(server, holder.token, (options) => holder.passkey.use(options))).status).toBe(200)
    server.pass(301)
    expect((await ask({ email })).code).toBe('confirmation-needed')
    expect(await server.rows(`select from "user" where "pendingEmail" = '${email}'`)).toEqual([])
  })

  it('takes no wrong password, however fresh the session is', async () => {
    const holder = await addHolder(server, `ann-${count}@example.com`)
    expect((await asksIn(server, holder)({ email: 'x@example.com', password: 'wrong-password' })).code).toBe('wrong-password')
  })

  it('needs the password, however fresh the session is, of who has nothing else', async () => {
    const ask = asksIn(server, await server.signedIn({ email: `eve-${count}@example.com`, role: 'client' }))
    expect(await ask({ email: 'x@example.com' })).toMatchObject({ status: 400, code: 'invalid' })
  })
})

describe.each(oneEngine(import.meta.filename))('a new address of a person without a password on $name', (engine) => {
  let server: ProviderServer
  beforeAll(async () => {
    server = await openProviderServer(engine, { env: { TOKEN_TTL_S: '3600' } })
  })
  afterAll(() => server.close())

  it('is confirmed at the provider', async () => {
    const email = 'olga@example.com'
    const id = await server.people.addUser({ email, role: 'client', password: null })
    await server.people.rows(`insert into "invitation" ("id", "kind", "email", "userId", "role", "state", "delivery", "sentCount")
      values ('of-olga', 'ACCOUNT', '${email}', '${id}', 'client', 'PENDING', 'SENT', 1)`)
    server.account('olga', { email, email_verified: true })
    const token = String((await server.signIn()).body.accessToken)
    await server.people.rows(agedSession(id))
    const ask = asksIn(server.people, { id, token })
    expect((await ask({ email: 'olga-new@example.com' })).code).toBe('confirmation-needed')
    server.people.pass(1)
    expect((await server.confirm(token)).status).toBe(200)
    expect(await ask({ email: 'olga-new@example.com' })).toMatchObject({ status: 200, pendingEmail: 'olga-new@example.com' })
  })
})
