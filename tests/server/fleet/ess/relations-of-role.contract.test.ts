import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { user } from '#resources/user.ts'
import type { Role } from '#schema/roles.ts'
import { outsidersOf } from '#server/fleet/ess/ess-routes.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { callerWith, idsOf, Maker, type Person } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { refusal } from '#tests/support/refusal.ts'

/** A relation, the role that it is for, and other roles that the person may get. */
const cases = [
  ['guest', 'client', 'installer'],
  ['service_engineer', 'service_engineer', 'client'],
  ['installer', 'installer', 'client'],
  ['owner', 'client', 'installer'],
] as const

describe.each(oneEngine(import.meta.filename))('the relations of a person with systems on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())

  const accept = async ({ email }: Person) =>
    server.call('PUT', 'user/invitation/complete', { body: { token: await server.linkTo(email, '/invitation/complete') } })
  const give: Readonly<Record<string, (essId: string, person: Person) => Promise<unknown>>> = {
    owner: (essId, { id }) => maker.admin.put(`ess/${essId}/owner`, { clientId: id }),
    guest: async (essId, person) => {
      await maker.admin.post(`ess/${essId}/invite-guest`, { userId: person.id })
      return accept(person)
    },
    service_engineer: async (essId, person) => {
      await maker.assign(essId, person)
      return { status: 200 }
    },
    installer: async (essId, { id }) => {
      const { version } = (await maker.admin.get(`ess/${essId}`)).body
      return maker.admin.put(`ess/${essId}`, { version, installerId: id })
    },
  }
  const setRole = async ({ id }: Person, role: Role) => {
    const { version } = (await maker.admin.get(`user/${id}`)).body
    return maker.admin.put(`user/${id}`, { version, role })
  }
  /** The person with a session of the present role. */
  const again = async ({ id, email }: Person): Promise<Person> => ({
    id,
    email,
    ...callerWith(server, await server.tokenOf(email)),
  })
  const liveOf = (table: string, { id }: Person) =>
    server.rows<{ state: string }>(
      `select "state" from "${table}" where "userId" = '${id}' and "state" in ('INVITED', 'ACTIVE')`,
    )

  it.each(cases)('open nothing with another role: %s', async (relation, role, other) => {
    const ess = await maker.ess()
    const person = await maker.person(role)
    expect(await give[relation]?.(ess.id, person)).toMatchObject({ status: 200 })
    const list = `ess/by-user/${person.id}?relation=${relation}`
    expect(idsOf(await person.get(list))).toEqual([ess.id])
    // As a server of an older version has left it: another role, and the relation still there.
    await server.rows(`update "user" set "role" = '${other}' where "id" = '${person.id}'`)
    const changed = await again(person)
    expect(idsOf(await changed.get(list))).toEqual([])
    expect((await changed.get(`export/${list}&columns=code`)).text.trim().split('\n')).toHaveLength(1)
    expect((await changed.get(`ess/${ess.id}/last-telemetry`)).status).toBe(404)
    expect(await outsidersOf(server.database.kysely, [ess.id])).toEqual([])
    expect(idsOf(await maker.admin.get(list))).toEqual([ess.id])
  })

  it.each(cases)('are listed before another role ends them, and no others: %s', async (relation, role, other) => {
    const [ess, running] = [await maker.ess(), await maker.ess()]
    const person = await maker.person(role)
    const ending = async () => {
      const answer = await maker.admin.get((user.ends?.role?.from ?? '').replace('{id}', person.id))
      expect(answer.status).toBe(200)
      return idsOf(answer)
    }
    await give[relation]?.(ess.id, person)
    await give[relation]?.(running.id, person)
    await server.rows(`update "ess" set "lifecycle" = 'IN_OPERATION' where "id" = '${running.id}'`)
    const ends = { owner: [], installer: [ess.id] }[String(relation)] ?? [ess.id, running.id]
    expect((await ending()).toSorted()).toEqual(ends.toSorted())
    await setRole(person, other)
    expect(await ending()).toEqual([])
  })

  it('are not listed where only an invitation ends', async () => {
    const ess = await maker.ess()
    const person = await maker.person('client')
    await maker.admin.post(`ess/${ess.id}/invite-guest`, { userId: person.id })
    const list = `ess/by-user/${person.id}?relation=guest`
    expect(idsOf(await maker.admin.get(`${list}&open=true`))).toEqual([])
    expect((await maker.admin.get(`${list}&open=perhaps`)).status).toBe(400)
  })

  it.each([
    ['guest', 'GUEST', 'client', 'installer'],
    ['service_engineer', 'SERVICE_ENGINEER', 'service_engineer', 'client'],
  ] as const)(
    'end with the role that they are for, with their invitations, and do not come back: %s',
    async (table, kind, role, other) => {
      const [first, second] = [await maker.ess(), await maker.ess()]
      const person = await maker.person(role)
      await give[table]?.(first.id, person)
      const path = table === 'guest' ? 'invite-guest' : 'invite-service-engineer'
      await maker.admin.post(`ess/${second.id}/${path}`, { userId: person.id, ...(table === 'guest' ? {} : { scope: 'READ' }) })
      const token = await server.linkTo(person.email, '/invitation/complete')
      expect(await liveOf(table, person)).toHaveLength(2)
      expect((await setRole(person, other)).status).toBe(200)
      expect(await liveOf(table, person)).toEqual([])
      expect((await server.call('PUT', 'user/invitation/complete', { body: { token } })).status).toBe(410)
      const open = `select from "invitation" where "userId" = '${person.id}' and "kind" = '${kind}' and "state" = 'PENDING'`
      expect(await server.rows(open)).toEqual([])
      const told = await server.rows(`select "entityId", "after", "reason" from "auditLog"
      where "action" = 'end-access' and "after"->>'userId' = '${person.id}' order by "entityId"`)
      const entry = { after: { userId: person.id }, reason: 'role-changed' }
      expect(told).toEqual([first, second].map(({ id }) => ({ entityId: id, ...entry })))
      const resource = table.replace('_', '-')
      const events = await server.rows(`select from "event" "e" join "${table}" "r" on "r"."id" = "e"."entityId"
      where "e"."resource" = '${resource}' and "e"."type" = 'updated' and "r"."userId" = '${person.id}' and "e"."version" = "r"."version"`)
      expect(events).toHaveLength(2)
      await setRole(person, role)
      expect(idsOf(await maker.admin.get(`ess/by-user/${person.id}?relation=${table}`))).toEqual([])
    },
  )

  it.each([
    ['invite-service-engineer', { scope: 'READ' }, 'client'],
    ['invite-guest', {}, 'service_engineer'],
  ] as const)('leave one who has no account yet an invitation to it, by the new role: %s', async (path, facts, role) => {
    const [ess, email] = [await maker.ess(), `${path}@not-yet.example`]
    await maker.admin.post(`ess/${ess.id}/${path}`, { email, ...facts })
    const token = await server.linkTo(email, '/invitation/complete')
    const [{ id } = { id: '' }] = await server.rows<{ id: string }>(`select "id" from "user" where "email" = '${email}'`)
    const person = { ...maker.admin, id, email }
    expect((await setRole(person, role)).status).toBe(200)
    const account = { password: 'correct-horse-battery', firstName: 'Ann', lastName: 'Lee' }
    const complete = (call: string, link: string) => server.call('PUT', call, { body: { token: link, ...account } })
    expect((await complete('user/invitation/complete', token)).status).toBe(410)
    const next = await server.linkTo(email, '/register/complete')
    const other = role === 'client' ? 'installer' : 'client'
    await setRole(person, other)
    expect((await complete('user/register/complete', next)).status).toBe(200)
    expect((await maker.admin.get(`user/${id}`)).body).toMatchObject({ role: other, status: 'ACTIVE' })
  })

  it('end where an installer becomes a client, and leave after the handover who has installed a system', async () => {
    const [planned, running] = [await maker.ess(), await maker.ess()]
    const person = await maker.person('installer')
    await give.installer?.(planned.id, person)
    await give.installer?.(running.id, person)
    await server.rows(`update "ess" set "lifecycle" = 'IN_OPERATION' where "id" = '${running.id}'`)
    expect((await setRole(person, 'client')).status).toBe(200)
    expect((await maker.admin.get(`ess/${planned.id}`)).body.installerId).toBeNull()
    expect((await maker.admin.get(`ess/${running.id}`)).body.installerId).toBe(person.id)
    const [entry] = await server.rows(`select "action", "before", "after", "reason" from "auditLog"
      where "entityId" = '${planned.id}' order by "at" desc, "id" desc limit 1`)
    expect(entry).toEqual({
      action: 'update',
      before: { installerId: person.id },
      after: { installerId: null },
      reason: 'role-changed',
    })
    await setRole(person, 'installer')
    expect(idsOf(await (await again(person)).get(`ess/by-user/${person.id}?relation=installer`))).toEqual([])
  })

  it('keep a client who owns a system one', async () => {
    const ess = await maker.ess()
    const person = await maker.person('client')
    await give.owner?.(ess.id, person)
    expect(await setRole(person, 'installer')).toMatchObject(refusal(409, 'user.owns-systems'))
  })

  it('stay with a role that may have them', async () => {
    const ess = await maker.ess()
    const person = await maker.person('client')
    await give.guest?.(ess.id, person)
    const { version } = (await maker.admin.get(`user/${person.id}`)).body
    await maker.admin.put(`user/${person.id}`, { version, firstName: 'Other' })
    expect(await liveOf('guest', person)).toEqual([{ state: 'ACTIVE' }])
  })

  it('are not accepted by a person who got another role meanwhile', async () => {
    const ess = await maker.ess()
    const person = await maker.person('client')
    await maker.admin.post(`ess/${ess.id}/invite-guest`, { userId: person.id })
    await server.rows(`update "user" set "role" = 'installer' where "id" = '${person.id}'`)
    expect((await accept(person)).status).toBe(410)
    expect(await liveOf('guest', person)).toEqual([{ state: 'INVITED' }])
  })

  it('end for one who is invited while his role changes, whoever comes first', async () => {
    for (let time = 0; time < 5; time++) {
      const ess = await maker.ess()
      const person = await maker.person('client')
      await Promise.all([setRole(person, 'installer'), maker.admin.post(`ess/${ess.id}/invite-guest`, { email: person.email })])
      expect(await liveOf('guest', person)).toEqual([])
    }
  })
})
