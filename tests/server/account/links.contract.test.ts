import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keepHouse } from '#server/account/housekeeping-part.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { goodPassword, openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

const newPassword = 'verdigris-lamp-77'

describe.each(oneEngine(import.meta.filename))('links from mails on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  let admin = ''
  let adminId = ''
  let ip = ''
  beforeAll(async () => {
    server = await openPeopleServer(engine)
    const person = await server.signedIn({ email: 'admin@example.com', role: 'admin' })
    admin = person.token
    adminId = person.id
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    count += 1
    ip = `198.51.100.${count}`
    admin = await server.tokenOf('admin@example.com')
  })

  const put = (path: string, body: unknown) => server.call('PUT', `user/${path}`, { body, ip })
  const create = async (role = 'client') => {
    const email = `new-${count}-${role}@example.com`
    const { status, body } = await server.call('POST', 'user', {
      token: admin,
      body: { email, role, firstName: 'Ivan', lastName: 'Orlov' },
    })
    expect(status).toBe(201)
    return { id: String(body.id), email }
  }
  const invitationOf = async (email: string) => {
    const [row] = await server.rows<{
      id: string
      version: number
      state: string
      delivery: string
      sentCount: number
      role: string
    }>(`select * from "invitation" where "email" = '${email}' order by "createdAt" desc, "id" desc limit 1`)
    if (!row) throw new Error(`no invitation to ${email}`)
    return row
  }
  const person = { password: newPassword, firstName: 'Иван', lastName: 'Орлов' }

  describe('finishing an account', () => {
    it('sets password and names once; the user is INVITED before and ACTIVE after', async () => {
      const { id, email } = await create()
      expect((await server.call('GET', `user/${id}`, { token: admin })).body.status).toBe('INVITED')
      const token = await server.linkTo(email, 'https://console.example/register/complete')
      expect(await invitationOf(email)).toMatchObject({ state: 'PENDING', delivery: 'SENT', sentCount: 1 })
      const done = await put('register/complete', { token, ...person, phone: '+79161234567' })
      expect(done).toMatchObject({ status: 200, body: { email } })
      expect((await server.login(email, newPassword)).body.user).toMatchObject({ firstName: 'Иван' })
      expect((await server.call('GET', `user/${id}`, { token: admin })).body).toMatchObject({
        status: 'ACTIVE',
        phone: '+79161234567',
      })
      expect(await invitationOf(email)).toMatchObject({ state: 'ACCEPTED' })
      expect((await put('register/complete', { token, ...person })).body).toMatchObject({ statusCode: 410, code: 'link.dead' })
    })

    it('is for one of twenty at the same moment', async () => {
      const { email } = await create()
      const token = await server.linkTo(email)
      const answers = await Promise.all(Array.from({ length: 20 }, () => put('register/complete', { token, ...person })))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(410)])
    })

    it.each([
      ['seven77', 'too short'],
      ['password1234', 'common'],
      ['qwertyuiop', 'common'],
      ['ess console', 'the product'],
      ['x'.repeat(129), 'too long'],
    ])('refuses the password %s and keeps the link', async (password) => {
      const { email } = await create()
      const token = await server.linkTo(email)
      const refused = await put('register/complete', { token, ...person, password })
      expect(refused.status).toBe(400)
      expect(refused.body.fields).toHaveProperty('password')
      expect((await put('register/complete', { token, ...person, password: email })).status).toBe(400)
      const spaced = 'ёжик в тумане и 😀 ежевика, шестьдесят четыре знака без одного!'
      expect((await put('register/complete', { token, ...person, password: spaced })).status).toBe(200)
      expect((await server.login(email, spaced)).status).toBe(200)
    })

    it('takes no role, id or address from the body', async () => {
      const { email } = await create()
      const token = await server.linkTo(email)
      for (const extra of [{ role: 'admin' }, { id: adminId }, { email: 'x@example.com' }, { status: 'ACTIVE' }])
        expect((await put('register/complete', { token, ...person, ...extra })).status).toBe(400)
      expect((await put('register/complete', { token, ...person })).status).toBe(200)
      expect((await server.login(email, newPassword)).body.user).toMatchObject({ role: 'client' })
    })

    it('dies after seven days; a new link is sent and the old one stays dead', async () => {
      const { email } = await create()
      const token = await server.linkTo(email)
      server.pass(7 * 86_400 + 1)
      expect((await put('register/complete', { token, ...person })).status).toBe(410)
      await keepHouse(server.context)
      const { id, state, version } = await invitationOf(email)
      expect(state).toBe('EXPIRED')
      const told = await server.rows(`select "version" from "event" where "entityId" = '${id}' order by "version"`)
      expect(told).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }])
      expect(version).toBe(3)
      admin = await server.tokenOf('admin@example.com')
      expect((await server.call('PUT', `user/invitation/${id}/resend`, { token: admin })).status).toBe(200)
      const fresh = await server.linkTo(email)
      expect(fresh).not.toBe(token)
      expect((await put('register/complete', { token, ...person })).status).toBe(410)
      expect((await put('register/complete', { token: fresh, ...person })).status).toBe(200)
    })

    it('is of no use for another purpose, nor as a session', async () => {
      const { email } = await create()
      const token = await server.linkTo(email)
      expect((await put('restore-password/complete', { token, password: newPassword })).status).toBe(410)
      expect((await put('invitation/complete', { token, ...person })).status).toBe(410)
      expect((await put('change-email/complete', { token })).status).toBe(410)
      expect((await put('cancel-delete', { token })).status).toBe(410)
      expect((await server.call('GET', 'auth/me', { token })).status).toBe(401)
      expect((await put('register/complete', { token, ...person })).status).toBe(200)
    })
  })

  describe('invitations', () => {
    const resend = (id: string) => server.call('PUT', `user/invitation/${id}/resend`, { token: admin })

    it('are sent again at most once a minute and five times a day', async () => {
      const { email } = await create()
      const { id } = await invitationOf(email)
      const soon = await resend(id)
      expect([soon.status, Number(soon.headers['retry-after'])]).toEqual([429, 60])
      for (let time = 0; time < 5; time++) {
        server.pass(61)
        expect((await resend(id)).status).toBe(200)
      }
      server.pass(61)
      expect((await resend(id)).status).toBe(429)
      expect(await invitationOf(email)).toMatchObject({ sentCount: 6 })
    })

    it('stop with the revocation and are not sent again once they are over', async () => {
      const { email } = await create()
      const token = await server.linkTo(email)
      const { id } = await invitationOf(email)
      expect((await server.call('DELETE', `invitation/${id}`, { token: admin })).status).toBe(204)
      expect(await invitationOf(email)).toMatchObject({ state: 'REVOKED' })
      expect((await put('register/complete', { token, ...person })).status).toBe(410)
      server.pass(61)
      expect(await resend(id)).toMatchObject({ status: 409, body: { code: 'action.wrong-state' } })
    })

    it('are not revoked once they were accepted', async () => {
      const { email } = await create()
      const token = await server.linkTo(email)
      const { id } = await invitationOf(email)
      expect((await put('register/complete', { token, ...person })).status).toBe(200)
      const answer = await server.call('DELETE', `invitation/${id}`, { token: admin })
      expect(answer).toMatchObject({ status: 409, body: { code: 'invitation.accepted' } })
      expect(await invitationOf(email)).toMatchObject({ state: 'ACCEPTED' })
    })

    it('to an admin are none of a moderator’s business', async () => {
      const { email } = await create('admin')
      const { id } = await invitationOf(email)
      const moderator = await server.signedIn({ email: `moderator-${count}@example.com`, role: 'moderator' })
      server.pass(61)
      expect((await server.call('PUT', `user/invitation/${id}/resend`, { token: moderator.token })).status).toBe(404)
      expect((await server.call('DELETE', `invitation/${id}`, { token: moderator.token })).status).toBe(404)
      expect(await invitationOf(email)).toMatchObject({ state: 'PENDING' })
    })

    it('are listed with their state and delivery', async () => {
      const { email } = await create()
      const { status, text, headers } = await server.call('GET', 'invitation?state=PENDING&_sort=createdAt&_order=desc', {
        token: admin,
      })
      expect(status).toBe(200)
      expect(Number(headers['x-total-count'])).toBeGreaterThan(0)
      expect(text).toContain(email)
    })
  })

  describe('a guest’s invitation', () => {
    const essFor = async () => {
      const id = `ess-${engine.name}-${count}`
      await server.rows(`insert into "ess" ("id", "code") values ('${id}', 'ESS-${count}')`)
      return id
    }
    const inviteGuest = (essId: string, body: unknown) =>
      server.call('POST', `ess/${essId}/invite-guest`, { token: admin, body })
    const relation = async (essId: string) =>
      (await server.rows(`select "state", "userId" from "guest" where "essId" = '${essId}'`))[0]

    it('makes an account for a new address, finished by the one who has the mail', async () => {
      const essId = await essFor()
      const email = `guest-${count}@example.com`
      expect((await inviteGuest(essId, { email })).status).toBe(201)
      expect(await relation(essId)).toMatchObject({ state: 'INVITED' })
      const token = await server.linkTo(email, '/invitation/complete')
      const asked = await put('invitation/complete', { token })
      expect(asked.status).toBe(400)
      expect(Object.keys(Object(asked.body.fields)).toSorted()).toEqual(['firstName', 'lastName', 'password'])
      expect((await put('invitation/complete', { token, ...person, role: 'admin' })).status).toBe(400)
      expect((await put('invitation/complete', { token, ...person })).status).toBe(200)
      expect(await relation(essId)).toMatchObject({ state: 'ACTIVE' })
      expect((await server.login(email, newPassword)).body.user).toMatchObject({ role: 'client' })
    })

    it('changes neither password nor name of an account that is there', async () => {
      const essId = await essFor()
      const email = `known-${count}@example.com`
      const userId = await server.addUser({ email, role: 'client', language: 'ru' })
      expect((await inviteGuest(essId, { userId })).status).toBe(201)
      expect(await inviteGuest(essId, { userId })).toMatchObject({ status: 409, body: { code: 'relation.exists' } })
      const token = await server.linkTo(email)
      const mail = (await server.mails()).findLast(({ to }) => to === email)
      expect(mail?.subject).toContain('приглашают')
      const hijack = await put('invitation/complete', { token, password: newPassword })
      expect(hijack.status).toBe(400)
      expect((await put('invitation/complete', { token })).status).toBe(200)
      expect(await relation(essId)).toMatchObject({ state: 'ACTIVE', userId })
      expect((await server.login(email, newPassword)).status).toBe(401)
      expect((await server.login(email, goodPassword)).status).toBe(200)
      expect(await server.rows(`select "id" from "user" where "email" = '${email}'`)).toHaveLength(1)
    })

    it('dies when the guest is removed', async () => {
      const essId = await essFor()
      const email = `removed-${count}@example.com`
      const userId = await server.addUser({ email, role: 'client' })
      await inviteGuest(essId, { userId })
      const token = await server.linkTo(email)
      expect((await server.call('DELETE', `ess/${essId}/remove-guest`, { token: admin, body: { userId } })).status).toBe(204)
      expect((await put('invitation/complete', { token })).status).toBe(410)
      expect(await relation(essId)).toMatchObject({ state: 'REVOKED' })
    })
  })
})
