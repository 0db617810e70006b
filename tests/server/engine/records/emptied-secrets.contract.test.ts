import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { engines } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const staff = ['admin', 'moderator'] as const
const portal = defineResource({
  name: 'portal',
  label: { one: ['Portal', 'Портал'], many: ['Portals', 'Порталы'] },
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    key: { type: 'secret', label: ['Key', 'Ключ'] },
    code: { type: 'secret', label: ['Code', 'Код'], required: true },
    sign: { type: 'secret', label: ['Sign', 'Знак'], required: { field: 'name', op: 'eq', value: 'Signed' } },
    seal: { type: 'secret', label: ['Seal', 'Печать'], access: { read: ['admin'], write: ['admin'] } },
  },
  access: { list: staff, create: staff, edit: staff },
})

describe.each(engines)('a stored secret on $name', (engine) => {
  let server: ToyServer
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitionsOf([portal]))
  })
  afterAll(() => server.close())
  const full = { key: 'k-1', code: 'c-1', sign: 's-1', seal: 'z-1' }
  const made = async (name: string, more: object = full) =>
    String((await server.made('portal', { name, code: 'c-1', ...more })).id)
  const stored = async (id: string) => (await server.select(`select * from "portal" where "id" = '${id}'`))[0]

  it('is removed by null, kept by a body without it, and changed by a new one', async () => {
    const id = await made('A')
    const removed = await server.put(`portal/${id}`, { version: 1, key: null })
    expect([removed.status, removed.body.version, removed.body.keyIsSet]).toEqual([200, 2, false])
    expect(await stored(id)).toMatchObject({ key: null, code: 'c-1', sign: 's-1' })
    expect((await server.put(`portal/${id}`, { version: 2, key: null })).body.version).toBe(2)
    expect((await server.put(`portal/${id}`, { version: 2, name: 'B', code: 'c-2' })).status).toBe(200)
    expect(await stored(id)).toMatchObject({ code: 'c-2', sign: 's-1' })
    const [entry] = await server.select(`select "before", "after" from "auditLog" where "entityId" = '${id}' and
      "action" = 'update' and "after"::text like '%key%'`)
    expect(entry).toMatchObject({ before: { key: '•••' }, after: { key: null } })
  })

  it('is not removed where it is required', async () => {
    const id = await made('Signed')
    for (const body of [{ code: null }, { sign: null }]) {
      const refused = await server.put(`portal/${id}`, { version: 1, ...body })
      expect([refused.status, Object.keys(Object(refused.body.fields))]).toEqual([400, Object.keys(body)])
    }
    expect((await server.put(`portal/${id}`, { version: 1, name: 'Signed', key: null })).status).toBe(200)
    expect(await stored(id)).toMatchObject({ code: 'c-1', sign: 's-1', key: null })
  })

  it('is told to be there in the answer of its record, to those who may read the field', async () => {
    const id = await made('C', {})
    const other = await made('D')
    const none = { keyIsSet: false, codeIsSet: true, sealIsSet: false }
    expect((await server.get(`portal/${id}`)).body).toMatchObject(none)
    const all = { keyIsSet: true, codeIsSet: true, signIsSet: true }
    expect((await server.get(`portal/${other}`)).body).toMatchObject({ ...all, sealIsSet: true })
    const seen = (await server.get(`portal/${other}`, 'moderator')).body
    expect(seen).toMatchObject(all)
    expect(seen).not.toHaveProperty('sealIsSet')
    expect((await server.get('portal')).text).not.toContain('IsSet')
  })
})
