import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '#tests/support/databases.ts'
import { Maker } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

describe.each(engines)('an ESS that had a board on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())

  it('is kept with its history; the refusal names what refers to it, and what to do instead', async () => {
    const { admin } = maker
    const [ess, board] = [await maker.ess(), await maker.board()]
    await admin.post(`ess/${ess.id}/attach-control-pcb`, { controlPcbId: board.id, role: 'MAIN' })
    await admin.delete(`ess/${ess.id}/remove-control-pcb`, { controlPcbId: board.id })
    const { status, body } = await admin.delete(`ess/${ess.id}`)
    expect({ status, code: body.code, uses: body.uses }).toEqual({
      status: 409,
      code: 'in-use',
      uses: [{ resource: 'control-pcb-attachment', count: 1, records: [] }],
    })
    expect(body.message).toBe('Other records still refer to this one. An ESS that had a board stays, with its history')
  })
})
