import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endAccesses } from '#server/fleet/ess/ess-people.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { idsOf, Maker, type Person } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { refusal } from '#tests/support/refusal.ts'

describe.each(oneEngine(import.meta.filename))('a guest whose access has ended on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())

  async function endedGuest(essId: string): Promise<Person> {
    const guest = await maker.person('client')
    await maker.admin.post(`ess/${essId}/invite-guest`, { userId: guest.id })
    await server.rows(`update "guest" set "state" = 'ACTIVE', "expiresAt" = now() - interval '1 hour'
      where "essId" = '${essId}' and "userId" = '${guest.id}'`)
    return guest
  }
  const invite = (essId: string, { id }: Person) => maker.admin.post(`ess/${essId}/invite-guest`, { userId: id })
  const statesOf = (essId: string, { id }: Person) =>
    server.rows(`select "state" from "guest" where "essId" = '${essId}' and "userId" = '${id}' order by "createdAt"`)

  it('is offered and invited again', async () => {
    const ess = await maker.ess()
    const guest = await endedGuest(ess.id)
    expect(idsOf(await maker.admin.get(`ess/${ess.id}/clients-to-invite?_end=200`))).toContain(guest.id)
    const answer = await invite(ess.id, guest)
    expect(answer.status, answer.text).toBe(201)
    expect(await statesOf(ess.id, guest)).toEqual([{ state: 'EXPIRED' }, { state: 'INVITED' }])
  })

  it('stands in the history of the system, ended by a job or by the next invitation, once and by nobody', async () => {
    const [job, invitation] = [await maker.ess(), await maker.ess()]
    const ofJob = await endedGuest(job.id)
    const ofInvitation = await endedGuest(invitation.id)
    await invite(invitation.id, await maker.person('client'))
    await endAccesses(server.database, new Date(server.now))
    await endAccesses(server.database, new Date(server.now))
    const entriesOf = (essId: string) =>
      server.rows(`select "entityType", "code", "actorId", "reason", "after" from "auditLog"
        where "action" = 'end-access' and "entityId" = '${essId}'`)
    for (const [ess, guest] of [
      [job, ofJob],
      [invitation, ofInvitation],
    ] as const) {
      const [relation] = await server.rows(`select "expiresAt" from "guest" where "userId" = '${guest.id}'`)
      const after = { userId: guest.id, expiresAt: relation?.expiresAt }
      const entry = { entityType: 'ess', code: ess.code, actorId: null, reason: 'access-ended', after }
      expect(await entriesOf(ess.id)).toEqual([entry])
    }
  })

  it('takes no place among the 20 and is not counted', async () => {
    const ess = await maker.ess()
    const ended = await endedGuest(ess.id)
    await server.rows(`insert into "guest" ("id", "essId", "userId", "state", "access")
      select 'many-${ess.id}-' || "n", '${ess.id}', '${ended.id}' || "n", 'ACTIVE', 'VIEW' from generate_series(1, 19) "n"`)
    expect((await maker.admin.get(`ess/${ess.id}`)).body).toMatchObject({ counts: { guests: 19 } })
    const answer = await invite(ess.id, await maker.person('client'))
    expect(answer.status, answer.text).toBe(201)
    expect(await invite(ess.id, await maker.person('client'))).toMatchObject(refusal(409, 'guest.too-many'))
  })
})
