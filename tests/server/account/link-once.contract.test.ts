import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { linkLifeMs } from '#server/account/link.ts'
import { engines } from '#tests/support/databases.ts'
import { type Caller, Maker, type Person } from '#tests/support/fleet-callers.ts'
import { goodPassword, openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

type Facts = { server: PeopleServer; admin: Caller; maker: Maker; person: Person }
/** Requests a link of the kind; answers its recipient and the values that go with its token. */
type Kind = { path: string; lifeMs: number; make: (facts: Facts) => Promise<{ to: string; more?: object }> }

const kinds: Readonly<Record<string, Kind>> = {
  'a new account': {
    path: 'register/complete',
    lifeMs: linkLifeMs.ACCOUNT,
    make: async ({ admin, person }) => {
      const to = `made-for-${person.email}`
      await admin.post('user', { email: to, role: 'client', firstName: 'Ivan', lastName: 'Orlov' })
      return { to, more: { password: 'verdigris-lamp-77', firstName: 'Ivan', lastName: 'Orlov' } }
    },
  },
  'an invitation to a site': {
    path: 'invitation/complete',
    lifeMs: linkLifeMs.GUEST,
    make: async ({ admin, maker, person }) => {
      const { id } = await maker.ess()
      await admin.post(`ess/${id}/invite-guest`, { userId: person.id })
      return { to: person.email }
    },
  },
  'a new e-mail': {
    path: 'change-email/complete',
    lifeMs: linkLifeMs.EMAIL_CHANGE,
    make: async ({ person }) => {
      const to = `next-${person.email}`
      await person.post(`user/${person.id}/change-email`, { email: to, password: goodPassword })
      return { to }
    },
  },
  'a forgotten password': {
    path: 'restore-password/complete',
    lifeMs: linkLifeMs.RESTORE,
    make: async ({ server, person }) => {
      await server.call('POST', 'user/restore-password', { body: { email: person.email }, ip: '198.51.100.9' })
      return { to: person.email, more: { password: 'verdigris-lamp-77' } }
    },
  },
  'a deleted account that is brought back': {
    path: 'cancel-delete',
    lifeMs: linkLifeMs.CANCEL_DELETE,
    make: async ({ admin, person }) => {
      await admin.delete(`user/${person.id}`)
      return { to: person.email }
    },
  },
}

describe.each(engines)('the link of a mail on $name', (engine) => {
  let server: PeopleServer
  let facts: Facts
  beforeAll(async () => {
    server = await openPeopleServer(engine)
    await server.signedIn({ email: 'admin@example.com', role: 'admin' })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    // Sessions may have ended when the clock was moved.
    const maker = new Maker(server, await server.tokenOf('admin@example.com'))
    facts = { server, maker, admin: maker.admin, person: await maker.person('client') }
  })

  describe.each(Object.entries(kinds))('for %s', (_, { path, lifeMs, make }) => {
    const follow = async () => {
      const { to, more } = await make(facts)
      const body = { token: await server.linkTo(to), ...more }
      return async () => (await server.call('PUT', `user/${path}`, { body, ip: '198.51.100.7' })).status
    }

    it('is for one of twenty at the same moment, and for nobody after', async () => {
      const use = await follow()
      const answers = await Promise.all(Array.from({ length: 20 }, use))
      expect(answers.toSorted()).toEqual([200, ...Array(19).fill(410)])
      expect(await use()).toBe(410)
    })

    it('is dead when its time is over', async () => {
      const late = await follow()
      server.pass(lifeMs / 1_000 + 1)
      expect(await late()).toBe(410)
    })

    it('still opens a moment before its time is over', async () => {
      const early = await follow()
      server.pass(lifeMs / 1_000 - 60)
      expect(await early()).toBe(200)
    })
  })
})
