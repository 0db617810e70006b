import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { Maker, type Person, rowsOf } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { refusal } from '#tests/support/refusal.ts'

describe.each(oneEngine(import.meta.filename))('the maintenance of a system on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())

  it('lasts 72 hours at most, needs a reason, and is set by those who serve', async () => {
    const ess = await maker.ess()
    const engineer = await maker.person('service_engineer')
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const set = (caller: Pick<Person, 'put'>, body: object) => caller.put(`ess/${ess.id}/maintenance`, body)
    expect((await set(engineer, { until: inHours(1), reason: 'swap' })).status).toBe(403)
    expect(await set(maker.admin, { until: inHours(73), reason: 'swap' })).toMatchObject(refusal(400, 'ess.maintenance-time'))
    expect(await set(maker.admin, { until: inHours(-1), reason: 'swap' })).toMatchObject(refusal(400, 'ess.maintenance-time'))
    expect(await set(maker.admin, { until: inHours(1) })).toMatchObject(refusal(400, 'ess.maintenance-reason'))
    expect((await set(maker.admin, { until: inHours(71), reason: 'swap' })).body.maintenance).toMatchObject({ reason: 'swap' })
    expect(await set(maker.admin, { until: null, reason: 'done' })).toMatchObject(refusal(400, 'invalid'))
    expect((await set(maker.admin, { until: null })).body.maintenance).toBeNull()
    expect(await set(maker.admin, { until: null })).toMatchObject({ status: 409 })
    expect(await set(maker.admin, { reason: 'no end' })).toMatchObject({
      status: 400,
      body: { fields: { until: expect.anything() } },
    })
  })

  it('ends by itself: nobody sees it any more, nor finds a system by it', async () => {
    const ess = await maker.ess()
    const seen = async () => {
      const found = await maker.admin.get(`ess?code=${ess.code}&maintenance.reason_like=swap`)
      const [row] = rowsOf(await maker.admin.get(`ess?code=${ess.code}`))
      return [(await maker.admin.get(`ess/${ess.id}`)).body.maintenance, row?.maintenance, rowsOf(found).length]
    }
    const until = new Date(Date.now() + 3_600_000).toISOString()
    await maker.admin.put(`ess/${ess.id}/maintenance`, { until, reason: 'swap' })
    const present = expect.objectContaining({ until, reason: 'swap', by: expect.objectContaining({ id: expect.any(String) }) })
    expect(await seen()).toEqual([present, present, 1])
    await server.rows(
      `update "ess" set "maintenance" = "maintenance" || '{"until": "2026-01-01T00:00:00.000Z"}' where "id" = '${ess.id}'`,
    )
    expect(await seen()).toEqual([null, null, 0])
  })
})
