import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#schema/roles.ts'
import { migrations } from '#server/app/migrations.ts'
import { migrate } from '#server/db/migrate.ts'
import { engines } from '#tests/support/databases.ts'
import { Maker, type Person } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

const step = '0078-former-relations'

describe.each(engines)('relations that a change of role of an older release has left on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())

  /** As an older release has changed it. */
  const becomes = ({ id }: Person, role: Role) => server.rows(`update "user" set "role" = '${role}' where "id" = '${id}'`)
  const upgrade = async () => {
    await server.rows(`delete from "migration" where "id" = '${step}'`)
    expect(await migrate(server.database, migrations)).toEqual([step])
  }
  const statesOf = (table: 'guest' | 'service_engineer', { id }: Person) =>
    server.rows(`select "state" from "${table}" where "userId" = '${id}' order by "createdAt"`)
  const entriesOf = (essId: string, { id }: Person) =>
    server.rows(`select "action", "before", "after", "actorId" from "auditLog" where "entityId" = '${essId}' and "reason" = 'role-changed'
      and ("before"->>'installerId' = '${id}' or "after"->>'userId' = '${id}')`)
  const installs = async (essId: string, person: Person) =>
    server.rows(`update "ess" set "installerId" = '${person.id}' where "id" = '${essId}'`)

  it('end with the upgrade, with their invitations and an entry each, and do not come back with the role', async () => {
    const [first, second] = [await maker.ess(), await maker.ess()]
    const [engineer, stays] = [await maker.person('service_engineer'), await maker.person('service_engineer')]
    await maker.assign(first.id, engineer)
    await maker.assign(first.id, stays)
    await maker.admin.post(`ess/${second.id}/invite-service-engineer`, { userId: engineer.id, scope: 'READ' })
    const token = await server.linkTo(engineer.email, '/invitation/complete')
    const guest = await maker.person('client')
    await maker.admin.post(`ess/${second.id}/invite-guest`, { userId: guest.id })
    await becomes(engineer, 'client')
    await becomes(guest, 'installer')
    await upgrade()
    expect(await statesOf('service_engineer', engineer)).toEqual([{ state: 'REVOKED' }, { state: 'REVOKED' }])
    expect(await statesOf('guest', guest)).toEqual([{ state: 'REVOKED' }])
    expect(await statesOf('service_engineer', stays)).toEqual([{ state: 'ACTIVE' }])
    await becomes(engineer, 'service_engineer')
    expect((await server.call('PUT', 'user/invitation/complete', { body: { token } })).status).toBe(410)
    expect(
      await server.rows(`select from "invitation" where "userId" in ('${engineer.id}', '${guest.id}')
      and "kind" <> 'ACCOUNT' and "state" in ('PENDING', 'EXPIRED')`),
    ).toEqual([])
    const entry = { action: 'end-access', before: null, actorId: null, after: { userId: engineer.id } }
    expect(await entriesOf(first.id, engineer)).toEqual([entry])
    expect(await entriesOf(second.id, engineer)).toEqual([entry])
  })

  it('leave who installed what is handed over, and nobody at what is not', async () => {
    const [planned, running] = [await maker.ess(), await maker.ess()]
    const installer = await maker.person('installer')
    for (const { id } of [planned, running]) await installs(id, installer)
    await server.rows(`update "ess" set "lifecycle" = 'IN_OPERATION' where "id" = '${running.id}'`)
    const { version } = (await maker.admin.get(`ess/${planned.id}`)).body
    await becomes(installer, 'client')
    await upgrade()
    expect((await maker.admin.get(`ess/${planned.id}`)).body).toMatchObject({ installerId: null, version: Number(version) + 1 })
    expect((await maker.admin.get(`ess/${running.id}`)).body.installerId).toBe(installer.id)
    expect(await entriesOf(planned.id, installer)).toEqual([
      { action: 'update', before: { installerId: installer.id }, after: { installerId: null }, actorId: null },
    ])
    expect(await entriesOf(running.id, installer)).toEqual([])
  })

  it('are ended once: people of the right role keep theirs, and a second upgrade changes nothing', async () => {
    const ess = await maker.ess()
    const [owner, installer] = [await maker.person('client'), await maker.person('installer')]
    await maker.admin.put(`ess/${ess.id}/owner`, { clientId: owner.id })
    await installs(ess.id, installer)
    const before = await server.rows(`select to_jsonb("e") as "row" from "ess" "e" where "id" = '${ess.id}'`)
    await upgrade()
    expect(await server.rows(`select to_jsonb("e") as "row" from "ess" "e" where "id" = '${ess.id}'`)).toEqual(before)
  })
})
