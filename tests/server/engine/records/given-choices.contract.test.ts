import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { people } from '#tests/support/toy-resource.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const staff = ['admin', 'moderator'] as const
const badge = defineResource({
  name: 'badge',
  label: { one: ['Badge', 'Пропуск'], many: ['Badges', 'Пропуска'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    level: {
      type: 'enum',
      label: ['Level', 'Уровень'],
      options: { GREEN: ['Green', 'Зелёный'], RED: ['Red', 'Красный'] },
      givenBy: { RED: ['admin'] },
    },
  },
  access: { list: staff, create: staff, edit: staff, delete: staff },
})

describe.each(oneEngine(import.meta.filename))('a choice of some roles on $name', (engine) => {
  let server: ToyServer
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitionsOf([people, badge]))
  })
  afterAll(() => server.close())

  const refused = { status: 403, body: { code: 'field-forbidden', fields: { level: expect.any(String) } } }

  it('is given by them alone, in a new record and in a stored one', async () => {
    expect(await server.post('badge', { name: 'A', level: 'RED' }, 'moderator')).toMatchObject(refused)
    const made = await server.post('badge', { name: 'A', level: 'GREEN' }, 'moderator')
    expect(made.status).toBe(201)
    const path = `badge/${made.body.id}`
    expect(await server.put(path, { version: 1, level: 'RED' }, 'moderator')).toMatchObject(refused)
    expect((await server.put(path, { version: 1, level: 'RED' })).status).toBe(200)
    // A value that stays is not given.
    expect((await server.put(path, { version: 2, level: 'RED', name: 'B' }, 'moderator')).status).toBe(200)
  })
})
