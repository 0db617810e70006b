import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { idsOf, Maker, type Person, rowsOf } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { refusal } from '#tests/support/refusal.ts'

const missing = '01890000-0000-7000-8000-000000000000'

describe.each(oneEngine(import.meta.filename))('people and boards of a system on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())

  const relations = (table: string, essId: unknown) =>
    server.rows(`select "userId", "state" from "${table}" where "essId" = '${essId}' and "state" in ('INVITED', 'ACTIVE')`)

  describe('an invitation', () => {
    it('is for clients who can sign in, and for nobody else', async () => {
      const { admin } = maker
      const ess = await maker.ess()
      const [locked, deleted, other] = [await maker.person('client'), await maker.person('client'), await maker.person('admin')]
      await admin.delete(`user/${locked.id}/lock`)
      await admin.delete(`user/${deleted.id}`)
      for (const [{ id }, code] of [
        [locked, 'relation.not-invitable'],
        [deleted, 'relation.not-invitable'],
        [other, 'invalid'],
      ] as const) {
        const refused = await admin.post(`ess/${ess.id}/invite-guest`, { userId: id })
        expect(refused).toMatchObject(refusal(400, code))
        expect(refused.body.fields).toHaveProperty('userId')
      }
      expect((await admin.post(`ess/${ess.id}/invite-guest`, { userId: missing })).status).toBeGreaterThanOrEqual(400)
      expect((await admin.post(`ess/${missing}/invite-guest`, { userId: locked.id })).status).toBe(404)
      for (const { email } of [locked, deleted, other])
        expect(await admin.post(`ess/${ess.id}/invite-guest`, { email })).toMatchObject({
          status: 400,
          body: { code: 'relation.not-invitable', fields: { email: expect.stringContaining('cannot be invited') } },
        })
      expect(await admin.post(`ess/${ess.id}/invite-guest`, {})).toMatchObject(refusal(400, 'relation.one-person'))
      expect(await relations('guest', ess.id)).toEqual([])
    })

    it('reaches a person once, also when it is sent ten times at the same moment', async () => {
      const ess = await maker.ess()
      const guest = await maker.person('client')
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => maker.admin.post(`ess/${ess.id}/invite-guest`, { userId: guest.id })),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)])
      expect(await maker.admin.post(`ess/${ess.id}/invite-guest`, { email: guest.email })).toMatchObject(
        refusal(409, 'relation.exists'),
      )
      expect(await relations('guest', ess.id)).toHaveLength(1)
    })

    it('is offered to those who can be invited, by id, e-mail and name alone', async () => {
      const { admin } = maker
      const ess = await maker.ess()
      const [free, invited, locked, owner] = [
        await maker.person('client'),
        await maker.person('client'),
        await maker.person('client'),
        await maker.person('client'),
      ]
      await admin.put(`ess/${ess.id}/owner`, { clientId: owner.id })
      await admin.post(`ess/${ess.id}/invite-guest`, { userId: invited.id })
      await admin.delete(`user/${locked.id}/lock`)
      const offered = await admin.get(`ess/${ess.id}/clients-to-invite?_end=200`)
      expect(Object.keys(rowsOf(offered)[0] ?? {}).toSorted()).toEqual(['email', 'id', 'name'])
      const ids = idsOf(offered)
      expect(ids).toContain(free.id)
      for (const { id } of [invited, locked, owner]) expect(ids).not.toContain(id)
      const engineer = await maker.person('service_engineer')
      const engineers = await admin.get(`ess/${ess.id}/service-engineer-to-invite?_end=200`)
      expect(idsOf(engineers)).toContain(engineer.id)
      expect(idsOf(engineers)).not.toContain(free.id)
    })
  })

  it('nobody and no board is removed by way of another system', async () => {
    const { admin } = maker
    const [mine, other] = [await maker.ess(), await maker.ess()]
    const [guest, engineer, board] = [await maker.person('client'), await maker.person('service_engineer'), await maker.board()]
    await admin.post(`ess/${other.id}/invite-guest`, { userId: guest.id })
    await admin.post(`ess/${other.id}/invite-service-engineer`, { userId: engineer.id, scope: 'READ' })
    await admin.post(`ess/${other.id}/attach-control-pcb`, { controlPcbId: board.id, role: 'MAIN' })
    for (const [path, body] of [
      ['remove-guest', { userId: guest.id }],
      ['remove-service-engineer', { userId: engineer.id }],
      ['remove-control-pcb', { controlPcbId: board.id }],
    ] as const) {
      expect((await admin.delete(`ess/${mine.id}/${path}`, body)).status).toBe(404)
      expect((await admin.delete(`ess/${other.id}/${path}`)).status).toBe(400)
    }
    expect(await relations('guest', other.id)).toHaveLength(1)
    expect(await relations('service_engineer', other.id)).toHaveLength(1)
    expect((await admin.get(`control-pcb/${board.id}`)).body.essId).toBe(other.id)
  })

  describe('a board', () => {
    it('belongs to one system, no matter who comes first', async () => {
      const [one, two] = [await maker.ess(), await maker.ess()]
      const board = await maker.board()
      const attach = (id: unknown) => maker.admin.post(`ess/${id}/attach-control-pcb`, { controlPcbId: board.id, role: 'MAIN' })
      const answers = await Promise.all([attach(one.id), attach(two.id)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expect(await attach(one.id)).toMatchObject(refusal(409, 'board.attached-elsewhere'))
      const second = await maker.board()
      const attached = await maker.admin.get(`control-pcb/${board.id}`)
      const refused = await maker.admin.post(`ess/${attached.body.essId}/attach-control-pcb`, {
        controlPcbId: second.id,
        role: 'MAIN',
      })
      expect(refused).toMatchObject(refusal(409, 'ess.main-board-taken'))
    })

    it('is moved by an engineer only where he serves in full, and with a reason', async () => {
      const engineer = await maker.person('service_engineer')
      const [served, watched, foreign] = [await maker.ess(), await maker.ess(), await maker.ess()]
      await maker.assign(served.id, engineer)
      await maker.assign(watched.id, engineer, 'READ')
      const board = await maker.board()
      const attach = (id: string, reason?: string) =>
        engineer.post(`ess/${id}/attach-control-pcb`, { controlPcbId: board.id, role: 'MAIN', ...(reason ? { reason } : {}) })
      expect((await attach(foreign.id, 'swap')).status).toBe(403)
      expect((await attach(watched.id, 'swap')).status).toBe(403)
      expect(await attach(served.id)).toMatchObject(refusal(400, 'board.reason-needed'))
      expect((await attach(served.id, 'swap')).status).toBe(200)
      expect(await engineer.delete(`ess/${served.id}/remove-control-pcb`, { controlPcbId: board.id })).toMatchObject(
        refusal(400, 'board.reason-needed'),
      )
    })
  })

  describe('the owner', () => {
    it('is an active client; staff sets him, and he sees the system only while it is his', async () => {
      const { admin } = maker
      const [first, second] = [await maker.person('client'), await maker.person('client')]
      const [engineer, installer] = [await maker.person('service_engineer'), await maker.person('installer')]
      const ess = await maker.ess()
      const owner = (person: Person, clientId: string | null) => person.put(`ess/${ess.id}/owner`, { clientId })
      expect((await owner(engineer, first.id)).status).toBe(403)
      expect(await admin.put(`ess/${ess.id}/owner`, { clientId: installer.id })).toMatchObject(refusal(400, 'invalid'))
      expect((await admin.put(`ess/${ess.id}/owner`, { clientId: missing })).status).toBe(400)
      expect((await admin.put(`ess/${ess.id}/owner`, { clientId: first.id })).status).toBe(200)
      expect(idsOf(await first.get(`ess/by-user/${first.id}`))).toEqual([ess.id])
      expect((await first.get(`ess/${ess.id}/last-telemetry`)).status).toBe(200)
      expect((await admin.put(`ess/${ess.id}/owner`, { clientId: second.id })).status).toBe(200)
      expect(idsOf(await first.get(`ess/by-user/${first.id}`))).toEqual([])
      expect((await first.get(`ess/${ess.id}/last-telemetry`)).status).toBe(404)
      expect((await first.get(`ess/by-user/${second.id}`)).status).toBe(404)
    })

    it('is told to be so already when he is set again, and so is none where there is none', async () => {
      const { admin } = maker
      const client = await maker.person('client')
      const ess = await maker.ess()
      const owner = (clientId: string | null) => admin.put(`ess/${ess.id}/owner`, { clientId, note: 'again' })
      const same = refusal(409, 'action.changes-nothing')
      const none = await owner(null)
      expect(none).toMatchObject(same)
      expect(Object.keys(Object(none.body.fields))).toEqual(['clientId'])
      const { body } = await owner(client.id)
      expect(await owner(client.id)).toMatchObject(same)
      expect((await admin.get(`ess/${ess.id}`)).body.version).toBe(body.version)
    })

    it('changes, and the guests of the former one go; the engineers stay', async () => {
      const { admin } = maker
      const [owner, guest, engineer] = [
        await maker.person('client'),
        await maker.person('client'),
        await maker.person('service_engineer'),
      ]
      const ess = await maker.ess()
      await admin.post(`ess/${ess.id}/invite-guest`, { userId: guest.id })
      await maker.assign(ess.id, engineer)
      await admin.put(`ess/${ess.id}/owner`, { clientId: owner.id })
      expect(await relations('guest', ess.id)).toEqual([])
      expect(await relations('service_engineer', ess.id)).toEqual([{ userId: engineer.id, state: 'ACTIVE' }])
    })
  })

  it('every action may come twice: the same answer or a conflict, never a fault', async () => {
    const { admin } = maker
    const [ess, board] = [await maker.ess(), await maker.board()]
    const [client, engineer] = [await maker.person('client'), await maker.person('service_engineer')]
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const calls: (() => ReturnType<typeof admin.put>)[] = [
      () => admin.put(`ess/${ess.id}/owner`, { clientId: client.id }),
      () => admin.post(`ess/${ess.id}/attach-control-pcb`, { controlPcbId: board.id, role: 'MAIN' }),
      () => admin.post(`ess/${ess.id}/invite-service-engineer`, { userId: engineer.id, scope: 'FULL' }),
      () => admin.put(`ess/${ess.id}/maintenance`, { until, reason: 'swap' }),
      () => admin.put(`ess/${ess.id}/maintenance`, { until: null }),
      () => admin.delete(`ess/${ess.id}/remove-service-engineer`, { userId: engineer.id }),
      () => admin.delete(`ess/${ess.id}/remove-control-pcb`, { controlPcbId: board.id }),
      () => admin.delete(`user/${client.id}/lock`),
      () => admin.put(`user/${client.id}/unlock`),
      () => admin.delete(`user/${engineer.id}`),
    ]
    const seen: [number, number][] = []
    for (const call of calls) seen.push([(await call()).status, (await call()).status])
    expect(seen.map(([first]) => first)).toEqual([200, 200, 201, 200, 200, 204, 204, 200, 200, 204])
    for (const [, again] of seen) expect([200, 204, 404, 409]).toContain(again)
  })

  it('a code is given once, to one of twenty', async () => {
    const [essFacts, boardUid] = [maker.essFacts(), 'AC0000000001']
    const systems = await Promise.all(Array.from({ length: 20 }, () => maker.admin.post('ess', essFacts)))
    expect(systems.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)])
    const board = { code: `PCB-${boardUid}`, uid: boardUid, hardwareRevision: 'A1' }
    const boards = await Promise.all(Array.from({ length: 20 }, () => maker.admin.post('control-pcb', board)))
    expect(boards.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)])
  })

  it('a system with boards stays; one made again under its code is a stranger to its former engineer', async () => {
    const { admin } = maker
    const engineer = await maker.person('service_engineer')
    const facts = maker.essFacts()
    const [ess, other, board] = [await maker.made('ess', facts), await maker.ess(), await maker.board()]
    await admin.post(`ess/${other.id}/attach-control-pcb`, { controlPcbId: board.id, role: 'MAIN' })
    expect(await admin.delete(`ess/${other.id}`)).toMatchObject(refusal(409, 'ess.has-boards'))
    await maker.assign(ess.id, engineer)
    expect((await admin.delete(`ess/${ess.id}`)).status).toBe(204)
    expect(await server.rows(`select 1 from "service_engineer" where "essId" = '${ess.id}'`)).toEqual([])
    const again = await maker.made('ess', facts)
    expect((await engineer.put(`ess/${again.id}/notes`, { notes: 'mine?' })).status).toBe(403)
  })
})
