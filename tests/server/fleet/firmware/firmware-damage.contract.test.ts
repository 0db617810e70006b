import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { idsOf, Maker } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

describe.each(oneEngine(import.meta.filename))('a firmware whose stored bytes are damaged, on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())

  it('is offered no longer once that is found, nor can it be asked for; the audit log says so once', async () => {
    const board = await maker.board()
    await server.rows(`update "control_pcb" set "lifecycle" = 'ACTIVE' where "id" = '${board.id}'`)
    const offered = async () => idsOf(await maker.admin.get(`firmware/for-request-update?controlPcbId=${board.id}`))
    const [id] = await offered()
    expect(id).toBeDefined()
    await server.rows(`update "firmwareFile" set "content" = set_byte("content", 40, 1) where "firmwareId" = '${id}'`)
    for (let time = 0; time < 2; time++)
      expect(await maker.admin.get(`firmware/${id}/file`)).toMatchObject({ status: 409, body: { code: 'firmware.damaged' } })
    expect(await offered()).not.toContain(id)
    const request = await maker.admin.post('firmware-update', { controlPcbId: board.id, firmwareId: id })
    expect([request.status, request.text]).toEqual([409, expect.stringContaining('missing or damaged')])
    const refusals = `select "action", "result" from "auditLog" where "entityId" = '${id}' and "result" <> 'OK'`
    expect(await server.rows(refusals)).toEqual([{ action: 'integrity-check', result: 'FAILED' }])
  })
})
