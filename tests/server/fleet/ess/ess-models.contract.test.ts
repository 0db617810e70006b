import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { Maker, rowsOf } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

const plate = {
  profile: 'HOME',
  chemistry: 'LFP',
  ratedEnergyWh: 9_600,
  ratedChargePowerW: 4_800,
  ratedDischargePowerW: 4_800,
  cellsInSeries: 16,
}

describe.each(oneEngine(import.meta.filename))('models of ESS on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  beforeAll(async () => {
    server = await FleetServer.open(engine)
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())

  it('are seen by the staff and kept by admins', async () => {
    const model = await maker.made('ess-model', { manufacturer: 'Ohm', model: 'One', ...plate })
    for (const role of ['moderator', 'service_engineer'] as const) {
      const person = await maker.person(role)
      expect((await person.get(`ess-model/${model.id}`)).body).toMatchObject(plate)
      expect((await person.post('ess-model', { manufacturer: 'Ohm', model: role, ...plate })).status).toBe(403)
      expect((await person.put(`ess-model/${model.id}`, { version: 1, ratedEnergyWh: 9_000 })).status).toBe(403)
      expect((await person.delete(`ess-model/${model.id}`)).status).toBe(403)
    }
    expect((await (await maker.person('installer')).get('ess-model')).status).toBe(403)
    expect((await maker.admin.put(`ess-model/${model.id}`, { version: 1, ratedEnergyWh: 9_000 })).status).toBe(200)
    expect((await maker.admin.delete(`ess-model/${model.id}`)).status).toBeLessThan(300)
  })

  it('are called once by each maker', async () => {
    await maker.made('ess-model', { manufacturer: 'Ohm', model: 'Two', ...plate })
    const again = await maker.admin.post('ess-model', { manufacturer: 'Ohm', model: 'Two', ...plate })
    expect([again.status, Object.keys(Object(again.body.fields)).toSorted()]).toEqual([409, ['manufacturer', 'model']])
    expect((await maker.admin.post('ess-model', { manufacturer: 'Volt', model: 'Two', ...plate })).status).toBe(201)
  })

  it('stay while a system is of them', async () => {
    const model = await maker.made('ess-model', { manufacturer: 'Ohm', model: 'Three', ...plate })
    const ess = await maker.ess({ essModelId: model.id })
    expect((await maker.admin.delete(`ess-model/${model.id}`)).status).toBe(409)
    expect((await maker.admin.put(`ess/${ess.id}`, { version: ess.version, essModelId: null })).status).toBe(200)
    expect((await maker.admin.delete(`ess-model/${model.id}`)).status).toBeLessThan(300)
  })

  it('of the demo fleet are those of its systems', async () => {
    const systems = rowsOf(await maker.admin.get('ess?_end=5&q=ESS-0000'))
    expect(systems.length).toBeGreaterThan(0)
    for (const { id } of systems) {
      const { body: system } = await maker.admin.get(`ess/${id}`)
      const { body: model } = await maker.admin.get(`ess-model/${system.essModelId}`)
      expect(system.essModel, 'the name comes along, nobody reads an id').toMatchObject({ id: model.id, model: model.model })
      expect(model).toMatchObject({
        manufacturer: system.manufacturer,
        model: system.model,
        ratedEnergyWh: system.ratedEnergyWh,
      })
    }
  })
})

describe('a field that fills others', () => {
  it('names fields that both sides have', () => {
    const definitions = definitionsOf(resources)
    for (const { name, fields } of resources)
      for (const field of Object.values(fields)) {
        if (field.type !== 'reference' || !field.fills) continue
        const given = definitions.get(field.to)?.fields ?? {}
        const lost = field.fills.filter((part) => fields[part]?.type !== given[part]?.type || !fields[part])
        expect(lost, name).toEqual([])
      }
  })
})
