import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { type Caller, callerWith, Maker, type Person, rowsOf } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { readCsv } from '#tests/support/read-csv.ts'

describe.each(oneEngine(import.meta.filename))('the export of a list below a record on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  let admin: Caller
  let owner: Person
  let engineer: Person
  let ess: { id: string; code?: unknown }
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5', DEMO_LIVE: 'false' })
    maker = new Maker(server, await server.as('admin'))
    admin = maker.admin
    owner = await maker.person('client')
    engineer = await maker.person('service_engineer')
    ess = await maker.ess()
    await admin.put(`ess/${ess.id}/owner`, { clientId: owner.id })
    await maker.assign(ess.id, engineer)
    for (const role of ['MAIN', 'MODULE']) {
      const board = await maker.board()
      const attached = await admin.post(`ess/${ess.id}/attach-control-pcb`, { controlPcbId: board.id, role })
      expect(attached.status, attached.text).toBe(200)
    }
  }, 120_000)
  afterAll(() => server?.close())
  // Exports are counted by the minute.
  beforeEach(() => server.pass(61))

  const exported = async (by: Caller, path: string) => {
    const answer = await by.get(`export/${path}`)
    expect([path, answer.status]).toEqual([path, 200])
    return readCsv(answer.text).slice(1)
  }

  it.each(['control-pcb', 'guest', 'service-engineer'])('has the rows of %s of this record, in their order', async (list) => {
    const path = `ess/${ess.id}/${list}`
    const rows = rowsOf(await admin.get(path))
    const lines = await exported(admin, `${path}?columns=createdAt`)
    expect(lines).toHaveLength(rows.length)
    if (list !== 'guest') expect(rows.length).toBeGreaterThan(0)
  })

  it('keeps to filter, search, order and columns', async () => {
    const path = `ess/${ess.id}/control-pcb`
    const [main] = rowsOf(await admin.get(`${path}?role=MAIN`))
    expect(await exported(admin, `${path}?role=MAIN&columns=code,role`)).toEqual([[main?.code, 'Main']])
    const codes = (await exported(admin, `${path}?columns=code&_sort=code&_order=desc`)).flat()
    expect(codes).toHaveLength(2)
    expect(codes).toEqual(codes.toSorted().toReversed())
    const { status, body } = await admin.get(`export/${path}?nothing=1`)
    expect([status, body.code]).toEqual([400, 'invalid'])
  })

  it('follows a call that the domain answers by itself, and what that lets a person see', async () => {
    const path = `ess/by-user/${owner.id}`
    expect(await exported(admin, `${path}?columns=code`)).toEqual([[ess.code]])
    expect(await exported(owner, `${path}?columns=code,name`)).toEqual([[ess.code, 'House of a test']])
    expect((await owner.get(`export/${path}?columns=notes`)).status).toBe(400)
    expect((await owner.get(`export/ess/by-user/${engineer.id}`)).status).toBe(404)
    expect(await exported(engineer, `ess/by-user/${engineer.id}?relation=service_engineer&columns=code`)).toEqual([[ess.code]])
  })

  it('is for those who may see the list, and for a record that is there', async () => {
    const { get } = callerWith(server, undefined)
    expect((await get(`export/ess/${ess.id}/guest`)).status).toBe(401)
    expect((await owner.get(`export/ess/${ess.id}/guest`)).status).toBe(403)
    expect((await admin.get('export/ess/01890000-0000-7000-8000-000000000000/guest')).status).toBe(404)
  })

  it('is noted with the list that was taken out', async () => {
    await exported(admin, `ess/${ess.id}/service-engineer?columns=state`)
    const [entry] = await server.rows<{ after: object }>(
      `select "after" from "auditLog" where "action" = 'export' and "entityType" = 'service-engineer' order by "at" desc, "id" desc limit 1`,
    )
    expect(entry?.after).toMatchObject({ columns: ['state'], list: `ess/${ess.id}/service-engineer` })
  })
})
