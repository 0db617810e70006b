import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#schema/roles.ts'
import { createLink } from '#server/account/link.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'
import { refusal } from '#tests/support/refusal.ts'

describe.each(oneEngine(import.meta.filename))('a deleted account on $name', (engine) => {
  let server: PeopleServer
  let admin: { id: string; token: string }
  beforeAll(async () => {
    server = await openPeopleServer(engine)
    admin = await server.signedIn({ email: 'admin@example.com', role: 'admin' })
    await server.addUser({ email: 'other-admin@example.com', role: 'admin' })
  })
  afterAll(() => server.close())

  const deleted = async (role: Role) => {
    const email = `${role}@example.com`
    const { id } = await server.signedIn({ email, role })
    expect((await server.call('DELETE', `user/${id}`, { token: admin.token })).status).toBe(204)
    return { id, email }
  }
  const lettersTo = async (email: string) =>
    (await server.mails()).filter(({ to }) => to === email).map(({ subject, text }) => ({ subject, text }))
  const restore = (id: string, token: string) => server.call('PUT', `user/${id}/restore`, { token })

  it.each(['moderator', 'service_engineer', 'installer'] as const)('of a %s comes back by an admin alone', async (role) => {
    const { id, email } = await deleted(role)
    const [letter] = await lettersTo(email)
    expect(letter?.subject).toBe('Your account was deleted')
    expect(letter?.text).not.toContain('#token=')
    // One that an earlier release has made.
    const [kind, now] = ['CANCEL_DELETE', new Date(server.now)] as const
    const token = await createLink(server.database.kysely, { kind, userId: id, now, expiresAt: new Date(server.now + 60_000) })
    expect((await server.call('PUT', 'user/cancel-delete', { body: { token } })).status).toBe(410)
    const moderator = await server.signedIn({ email: `by-${role}@example.com`, role: 'moderator' })
    expect((await restore(id, moderator.token)).status).toBe(403)
    expect((await restore(id, admin.token)).status).toBe(200)
    expect(await restore(id, admin.token)).toMatchObject(refusal(409, 'action.wrong-state'))
    expect((await server.login(email)).status).toBe(200)
  })

  it('comes back with a letter to every admin, also when a client brings it back himself', async () => {
    const { email } = await deleted('client')
    const token = await server.linkTo(email, '/restore-self')
    expect((await server.call('PUT', 'user/cancel-delete', { body: { token } })).status).toBe(200)
    for (const to of ['admin@example.com', 'other-admin@example.com'])
      expect(await lettersTo(to)).toContainEqual({
        subject: 'A deleted account is back: client@example.com',
        text: expect.stringContaining('Ann Lee'),
      })
  })

  describe('that was never completed', () => {
    const register = 'https://console.example/register/complete'
    let count = 0
    const invited = async (role: Role = 'installer') => {
      const email = `invited-${++count}@example.com`
      const body = { email, role, firstName: 'Ivan', lastName: 'Orlov' }
      const made = await server.call('POST', 'user', { token: admin.token, body })
      expect(made.status).toBe(201)
      // Letters of one moment have no order: the first one leaves before the second is written.
      await server.linkTo(email, register)
      server.pass(1)
      return { id: String(made.body.id), email }
    }
    const shown = async (id: string) => (await server.call('GET', `user/${id}`, { token: admin.token })).body
    /** Completes the account by the link of the newest letter. */
    const complete = async (email: string) => {
      const token = await server.linkTo(email, register)
      const body = { token, password: 'verdigris-lamp-77', firstName: 'Ivan', lastName: 'Orlov' }
      return (await server.call('PUT', 'user/register/complete', { body })).status
    }
    const invite = (id: string, token = admin.token) => server.call('PUT', `user/${id}/invite`, { token })
    const remove = async (path: string) => expect((await server.call('DELETE', path, { token: admin.token })).status).toBe(204)

    it('comes back with a new invitation, which completes it', async () => {
      const { id, email } = await invited()
      await remove(`user/${id}`)
      expect((await restore(id, admin.token)).status).toBe(200)
      const { status, invitationId } = await shown(id)
      expect(status).toBe('INVITED')
      const invitation = await server.call('GET', `invitation/${invitationId}`, { token: admin.token })
      expect(invitation.body).toMatchObject({ kind: 'ACCOUNT', state: 'PENDING', email })
      expect(await complete(email)).toBe(200)
      expect(await shown(id)).toMatchObject({ status: 'ACTIVE', invitationId: null })
    })

    it('and is locked gets no link before it is unlocked, and is invited then', async () => {
      const { id, email } = await invited()
      expect((await server.call('DELETE', `user/${id}/lock`, { token: admin.token })).status).toBe(200)
      await remove(`user/${id}`)
      expect((await restore(id, admin.token)).status).toBe(200)
      expect(await shown(id)).toMatchObject({ status: 'LOCKED', invitationId: null })
      expect(await invite(id)).toMatchObject(refusal(409, 'action.wrong-state'))
      expect((await server.call('PUT', `user/${id}/unlock`, { token: admin.token })).status).toBe(200)
      expect((await invite(id)).status).toBe(200)
      expect(await complete(email)).toBe(200)
    })

    it('is invited again when its invitation was revoked, and only then', async () => {
      const { id, email } = await invited('moderator')
      expect(await invite(id)).toMatchObject(refusal(409, 'action.wrong-state'))
      await remove(`invitation/${(await shown(id)).invitationId}`)
      const moderator = await server.signedIn({ email: 'invites-nobody@example.com', role: 'moderator' })
      expect((await invite(id, moderator.token)).status).toBe(404)
      expect((await invite(id)).status).toBe(200)
      expect(await complete(email)).toBe(200)
      expect(await invite(id)).toMatchObject(refusal(409, 'action.wrong-state'))
    })
  })
})
