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
})
