import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { endAccesses } from '#server/fleet/ess/ess-people.ts'
import { oneEngine, openProductTables } from '#tests/support/databases.ts'
import { LiveServer } from '#tests/support/live-server.ts'

describe.each(oneEngine(import.meta.filename))('live events of who may see a system on $name', (engine) => {
  let server: LiveServer
  let count = 0
  const person = (role: Parameters<LiveServer['addUser']>[0]['role']) =>
    server.signedIn({ email: `seen-${count++}@example.com`, role })
  beforeAll(async () => {
    server = await LiveServer.open(await openProductTables(engine))
  })
  afterAll(() => server.close())
  afterEach(() => server.closeStreams())

  const poll = <T>(of: () => T) => expect.poll(of, { timeout: 10_000 })

  it('tells a client who loses a system that it is gone, and him alone', async () => {
    const admin = await person('admin')
    const people = await Promise.all(Array.from({ length: 6 }, () => person('client')))
    const [owner, heir, removed, expired, later, invited] = people.map(({ id }) => id)
    const streams = await Promise.all([...people, admin].map(async ({ token }) => (await server.stream(token)).ready()))
    const essId = await server.makeEss(admin.token)
    const told = streams.map((stream) => () => stream.told.flatMap((event) => (event.id === essId ? [event.type] : [])))
    const [ofOwner, ofHeir, ofRemoved, ofExpired, ofLater, ofInvited, ofAdmin] = told
    // Readers are looked up when the events are read.
    const readBy = (count: number) => poll(() => ofAdmin?.().length).toBe(count)
    await readBy(1)
    const setOwner = async (clientId: unknown) => {
      const { status, text } = await server.call('PUT', `ess/${essId}/owner`, { token: admin.token, body: { clientId } })
      expect(status, text).toBe(200)
    }
    await setOwner(owner)
    await readBy(2)
    const guests: [string | undefined, string, string][] = [
      [removed, 'ACTIVE', 'null'],
      [expired, 'ACTIVE', `'${new Date(server.now).toISOString()}'`],
      [later, 'ACTIVE', `'${new Date(server.now + 3_600_000).toISOString()}'`],
      [invited, 'INVITED', 'null'],
    ]
    for (const [userId, state, expiresAt] of guests)
      await server.rows(`insert into "guest" ("id", "essId", "userId", "access", "state", "expiresAt")
        values ('lost-${userId}', '${essId}', '${userId}', 'VIEW', '${state}', ${expiresAt})`)
    const away = await server.call('DELETE', `ess/${essId}/remove-guest`, { token: admin.token, body: { userId: removed } })
    expect(away.status).toBe(204)
    await readBy(3)
    await endAccesses(server.database, new Date(server.now))
    expect(
      await server.rows(`select "userId", "state" from "guest" where "essId" = '${essId}' and "state" = 'EXPIRED'`),
    ).toEqual([{ userId: expired, state: 'EXPIRED' }])
    await setOwner(heir)
    await readBy(4)
    const { body } = await server.call('GET', `ess/${essId}`, { token: admin.token })
    await server.call('PUT', `ess/${essId}`, { token: admin.token, body: { version: body.version, name: 'Last' } })
    await readBy(5)
    expect((await server.call('DELETE', `ess/${essId}`, { token: admin.token })).status).toBe(204)
    await poll(() => ofAdmin?.()).toEqual(['created', 'updated', 'updated', 'updated', 'updated', 'deleted'])
    await poll(() => ofHeir?.()).toEqual(['updated', 'updated', 'deleted'])
    const heard = { ofOwner, ofRemoved, ofExpired, ofLater, ofInvited }
    // Each stream comes over a connection of its own.
    await poll(() => Object.fromEntries(Object.entries(heard).map(([who, types]) => [who, types?.()]))).toEqual({
      ofOwner: ['updated', 'updated', 'deleted'],
      ofRemoved: ['deleted'],
      ofExpired: ['deleted'],
      ofLater: ['updated', 'deleted'],
      ofInvited: [],
    })
  })

  it('tells an installer of his systems until the handover, and that they are gone from then on', async () => {
    const admin = await person('admin')
    const [first, second] = [await person('installer'), await person('installer')]
    const streams = await Promise.all([first, second, admin].map(async ({ token }) => (await server.stream(token)).ready()))
    const essId = await server.makeEss(admin.token)
    const told = streams.map((stream) => () => stream.told.flatMap((event) => (event.id === essId ? [event.type] : [])))
    let count = 1
    await poll(() => told[2]?.().length).toBe(count)
    const change = async (values: object) => {
      const { body } = await server.call('GET', `ess/${essId}`, { token: admin.token })
      const answer = await server.call('PUT', `ess/${essId}`, {
        token: admin.token,
        body: { version: body.version, ...values },
      })
      expect(answer.status, answer.text).toBe(200)
      await poll(() => told[2]?.().length).toBe(++count)
    }
    await change({ installerId: first.id })
    await change({ name: 'Named' })
    await change({ installerId: second.id })
    await change({ lifecycle: 'COMMISSIONING' })
    await server.rows(`update "ess" set "ownerId" = '${admin.id}' where "id" = '${essId}'`)
    await server.rows(`insert into "control_pcb" ("id", "code", "uid", "hardwareRevision", "lifecycle", "essId")
      values ('of-${essId}', 'PCB-00FEED01', '00000000FEED01', 'B1', 'ACTIVE', '${essId}')`)
    await change({ lifecycle: 'IN_OPERATION' })
    await poll(() => told[1]?.()).toEqual(['updated', 'updated', 'deleted'])
    await poll(() => told[0]?.()).toEqual(['updated', 'updated', 'deleted'])
  })

  it('tells a client who is given a system that it has come', async () => {
    const admin = await person('admin')
    const guest = await person('client')
    const essId = await server.makeEss(admin.token)
    const [{ email } = { email: '' }] = await server.rows<{ email: string }>(
      `select "email" from "user" where "id" = '${guest.id}'`,
    )
    const invited = await server.call('POST', `ess/${essId}/invite-guest`, { token: admin.token, body: { userId: guest.id } })
    expect(invited.status).toBe(201)
    const stream = await (await server.stream(guest.token)).ready()
    const token = await server.linkTo(email, '/invitation/complete')
    expect((await server.call('PUT', 'user/invitation/complete', { body: { token } })).status).toBeLessThan(300)
    await stream.until(({ told }) => told.some(({ id }) => id === essId))
    expect(stream.told).toMatchObject([{ resource: 'ess', id: essId, type: 'created' }])
  })
})
