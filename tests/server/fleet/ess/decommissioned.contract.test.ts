import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { Maker } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

describe.each(oneEngine(import.meta.filename))('a decommissioned system on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())

  it('takes no boards', async () => {
    const [ess, board] = [await maker.ess(), await maker.board()]
    await server.rows(`update "ess" set "lifecycle" = 'DECOMMISSIONED' where "id" = '${ess.id}'`)
    const refused = await maker.admin.post(`ess/${ess.id}/attach-control-pcb`, { controlPcbId: board.id, role: 'MAIN' })
    expect(refused.status, refused.text).toBe(409)
    expect((await maker.admin.get(`control-pcb/${board.id}`)).body).toMatchObject({ essId: null })
  })
})
