import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { goodPassword, openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

const newPassword = 'verdigris-lamp-77'

describe.each(oneEngine(import.meta.filename))('what a session has begun on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  let admin = ''
  beforeAll(async () => {
    server = await openPeopleServer(engine, { TOKEN_TTL_S: '3600' })
    admin = (await server.signedIn({ email: 'admin@example.com', role: 'admin' })).token
  })
  afterAll(() => server.close())
  beforeEach(() => {
    count += 1
  })

  const put = (path: string, body: unknown) => server.call('PUT', `user/${path}`, { body, ip: `198.51.100.${count}` })
  /** A person whose account somebody else wants to have under his own address. */
  const besieged = async () => {
    const email = `owner-${count}@example.com`
    const other = `thief-${count}@example.com`
    const person = { email, other, ...(await server.signedIn({ email, role: 'client' })) }
    const body = { email: other, password: goodPassword }
    expect((await server.call('POST', `user/${person.id}/change-email`, { token: person.token, body })).status).toBe(200)
    return { ...person, link: await server.linkTo(other, '/change-email/complete') }
  }
  type Besieged = Awaited<ReturnType<typeof besieged>>
  const linkToRestore = async ({ email }: Besieged) => {
    expect((await server.call('POST', 'user/restore-password', { body: { email }, ip: `198.51.100.${count}` })).status).toBe(
      202,
    )
    return server.linkTo(email, '/restore-password')
  }
  const userOf = async ({ id }: Besieged) => (await server.call('GET', `user/${id}`, { token: admin })).body
  const endings: Readonly<Record<string, (person: Besieged) => Promise<unknown>>> = {
    'a new password': ({ id, token }) =>
      server.call('PUT', `user/${id}/password`, { token, body: { password: goodPassword, newPassword } }),
    'a forgotten password that is replaced': async (person) =>
      put('restore-password/complete', { token: await linkToRestore(person), password: newPassword }),
    'a lock, also after the unlocking': async ({ id }) => {
      expect((await server.call('DELETE', `user/${id}/lock`, { token: admin, body: {} })).status).toBe(200)
      return server.call('PUT', `user/${id}/unlock`, { token: admin })
    },
    'another role': async (person) =>
      server.call('PUT', `user/${person.id}`, {
        token: admin,
        body: { version: (await userOf(person)).version, role: 'installer' },
      }),
  }

  it.each(Object.keys(endings))('ends with %s: a change of the e-mail address', async (name) => {
    const person = await besieged()
    expect(await endings[name]?.(person)).toMatchObject({ status: 200 })
    expect(await put('change-email/complete', { token: person.link })).toMatchObject({
      status: 410,
      body: { code: 'link.dead' },
    })
    expect(await userOf(person)).toMatchObject({ email: person.email, pendingEmail: null })
    const [invitation] = await server.rows<{ id: string; state: string }>(
      `select "id", "state" from "invitation" where "userId" = '${person.id}'`,
    )
    expect(invitation?.state).toBe('REVOKED')
    server.pass(61)
    const resent = await server.call('PUT', `user/invitation/${invitation?.id}/resend`, { token: admin })
    expect(resent).toMatchObject({ status: 409, body: { code: 'action.wrong-state' } })
    const told = (await server.mails()).filter(({ to, subject }) => to === person.email && /was cancelled$/.test(subject))
    expect(told.map(({ text }) => text.includes(person.other))).toEqual([true])
  })

  it('ends with a lock: a link that replaces the password', async () => {
    const person = await besieged()
    const token = await linkToRestore(person)
    await endings['a lock, also after the unlocking']?.(person)
    expect((await put('restore-password/complete', { token, password: newPassword })).status).toBe(410)
  })

  it('ends with a new password: messages to the browser of somebody else', async () => {
    const email = `owner-${count}@example.com`
    const { id, token } = await server.signedIn({ email, role: 'client' })
    const body = { isDebug: false, platform: 'web', pushId: `of-a-thief-${count}` }
    expect((await server.call('POST', 'device', { token, body })).status).toBe(201)
    await server.call('PUT', `user/${id}/password`, { token, body: { password: goodPassword, newPassword } })
    expect(await server.rows(`select from "device" where "userId" = '${id}'`)).toEqual([])
  })

  it('leaves no change of the address to a call that was under way', async () => {
    const email = `owner-${count}@example.com`
    const { id, token } = await server.signedIn({ email, role: 'client' })
    const body = { email: `thief-${count}@example.com`, password: goodPassword }
    await Promise.all([
      server.call('POST', `user/${id}/change-email`, { token, body }),
      server.call('DELETE', `user/${id}/lock`, { token: admin, body: {} }),
    ])
    expect(
      await server.rows(`select "pendingEmail", "lockedAt" is not null as "locked" from "user" where "id" = '${id}'`),
    ).toEqual([{ pendingEmail: null, locked: true }])
  })
})
