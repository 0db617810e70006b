import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { boothDefinitions } from '#tests/support/booth-definitions.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const staff = ['admin', 'moderator'] as const
const options = { GREEN: ['Green', 'Зелёный'], RED: ['Red', 'Красный'], BLUE: ['Blue', 'Синий'] } as const
const givenBy = { RED: ['admin'], BLUE: ['moderator'] } as const
const level = { type: 'enum', label: ['Level', 'Уровень'], options, givenBy } as const
const anyLevel = { type: 'enum', label: ['Level', 'Уровень'], options } as const

const badge = defineResource({
  name: 'badge',
  label: { one: ['Badge', 'Пропуск'], many: ['Badges', 'Пропуска'] },
  title: 'name',
  fields: { name: { type: 'text', label: ['Name', 'Название'], required: true, unique: true }, level },
  actions: {
    grade: { label: ['Grade', 'Присвоить'], form: { level: anyLevel } },
    raise: { label: ['Raise', 'Поднять'], form: { next: anyLevel }, set: { level: '$form.next' } },
    print: { label: ['Print', 'Печать'], form: { colour: { ...level, label: ['Colour', 'Цвет'] } } },
    ban: { label: ['Ban', 'Запретить'], set: { level: 'RED' } },
    copy: { label: ['Copy', 'Копировать'] },
  },
  access: { list: staff, create: staff, edit: staff, delete: staff },
})

const rules: RulesByResource = {
  badge: {
    actions: {
      print: async () => ({}),
      copy: async ({ id, record, work }) => {
        await work.records.update('badge', id, { level: 'RED' })
        await work.records.create('badge', { name: `${record?.name} again`, level: 'RED' })
        return {}
      },
    },
  },
}

const user = [boothDefinitions.get('user')].flatMap((one) => one ?? [])

describe.each(oneEngine(import.meta.filename))('a choice of some roles on $name', (engine) => {
  let server: ToyServer
  let as: string
  let admin: string
  beforeAll(async () => {
    server = await openToyServer(engine, rules, definitionsOf([badge, ...user]), [fillingPart({ rules, mailOf: mailerOf })])
    const { id } = await server.made('user', { email: 'mo@example.com' })
    ;[as, admin] = [`moderator:${id}`, `admin:${id}`]
  }, 60_000)
  afterAll(() => server.close())

  const refusedAt = (path: string) => ({
    status: 403,
    body: { code: 'field-forbidden', fields: { [path]: expect.any(String) } },
  })
  const refused = refusedAt('level')
  const greenBadge = async (name: string) => `badge/${(await server.made('badge', { name, level: 'GREEN' })).id}`
  const levelAt = async (path: string) => (await server.get(path)).body.level

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

  it.each([
    ['of the same name', 'grade', 'level'],
    ['that an action sets', 'raise', 'next'],
  ])('is given by them alone in a form, to a field %s', async (_, action, name) => {
    const path = await greenBadge(action)
    expect(await server.put(`${path}/${action}`, { [name]: 'RED' }, as)).toMatchObject(refusedAt(name))
    expect(await levelAt(path)).toBe('GREEN')
    expect((await server.put(`${path}/${action}`, { [name]: 'GREEN' }, as)).status).toBe(200)
    expect((await server.put(`${path}/${action}`, { [name]: 'RED' })).status).toBe(200)
    expect(await levelAt(path)).toBe('RED')
    // A value that stays is not given.
    expect((await server.put(`${path}/${action}`, { [name]: 'RED' }, as)).status).toBe(200)
  })

  it('is given by them alone in a form that a handler of the rules takes', async () => {
    const path = await greenBadge('print')
    expect(await server.put(`${path}/print`, { colour: 'RED' }, as)).toMatchObject(refusedAt('colour'))
    expect((await server.put(`${path}/print`, { colour: 'RED' })).status).toBe(200)
  })

  it('is given by a definition and by rules, whoever asks for it', async () => {
    const banned = await greenBadge('ban')
    expect((await server.put(`${banned}/ban`, {}, as)).status).toBe(200)
    expect(await levelAt(banned)).toBe('RED')
    const copied = await greenBadge('copy')
    expect((await server.put(`${copied}/copy`, {}, as)).status).toBe(200)
    expect(await levelAt(copied)).toBe('RED')
    expect((await server.get('badge?name=copy%20again')).rows).toMatchObject([{ level: 'RED' }])
  })

  it('is given by them alone in an imported row', async () => {
    const stored = await greenBadge('imported')
    const blue = await greenBadge('stays')
    expect((await server.put(blue, { version: 1, level: 'BLUE' }, as)).status).toBe(200)
    const headers = { 'content-type': 'text/csv' }
    const body = 'name,level\nnew,BLUE\nimported,BLUE\nstays,BLUE\nother,RED'
    const call = 'import/badge?update=true&skipInvalid=true'
    expect((await server.call('POST', call, { as: admin, body, headers })).body).toMatchObject({
      created: 1,
      failed: 2,
      faults: [
        { row: 2, column: 'level' },
        { row: 3, column: 'level' },
      ],
    })
    expect(await levelAt(stored)).toBe('GREEN')
    expect(await levelAt(blue)).toBe('BLUE')
  })
})
