import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { boothDefinitions } from '#tests/support/booth-definitions.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const allowed = ['admin'] as const

const keeper = defineResource({
  name: 'keeper',
  label: { one: ['Keeper', 'Смотритель'], many: ['Keepers', 'Смотрители'] },
  title: 'name',
  unseen: { admin: [] },
  fields: { name: { type: 'text', label: ['Name', 'Имя'], required: true } },
  access: { list: allowed },
  scope: { admin: { field: 'id', op: 'eq', value: '$user.id' } },
})

const bed = defineResource({
  name: 'bed',
  label: { one: ['Bed', 'Грядка'], many: ['Beds', 'Грядки'] },
  title: 'code',
  fields: {
    code: { type: 'code', label: ['Code', 'Код'], required: true, unique: true },
    note: { type: 'text', label: ['Note', 'Заметка'] },
    helperIds: { type: 'references', label: ['Helpers', 'Помощники'], to: 'keeper' },
  },
  access: { list: allowed, create: allowed, edit: allowed },
})

const user = [boothDefinitions.get('user')].flatMap((found) => found ?? [])

describe.each(oneEngine(import.meta.filename))('an import by somebody who does not see all ids on $name', (engine) => {
  let server: ToyServer
  let [mine, theirs] = ['', '']
  beforeAll(async () => {
    const parts = [fillingPart({ rules: {}, mailOf: mailerOf })]
    server = await openToyServer(engine, {}, definitionsOf([keeper, bed, ...user]), parts)
    mine = String((await server.made('user', { email: 'ann@example.com' })).id)
    theirs = '0192f0a4-0000-7000-8000-000000000001'
    await server.select(
      `insert into "keeper" ("id", "name") values ('${mine}', 'Mine'), ('${theirs}', 'Theirs') returning "id"`,
    )
    await server.select(`insert into "bed" ("id", "code", "helperIds")
      values ('b1', 'B-1', '["${theirs}", "${mine}"]'), ('b2', 'B-2', '["${theirs}"]') returning "id"`)
  }, 60_000)
  afterAll(() => server.close())

  it('keeps the ids that he is not shown, whatever the file has in their place', async () => {
    const body = 'code,note,helperIds\nB-1,raked,Mine\nB-2,dug,Mine\n'
    const headers = { 'content-type': 'text/csv' }
    const { status, text } = await server.call('POST', 'import/bed?update=true', { as: `admin:${mine}`, body, headers })
    expect(status, text).toBe(200)
    const rows = await server.select('select "note", "helperIds" from "bed" order by "code"')
    expect(rows.map(({ note, helperIds }) => [note, [helperIds].flat().toSorted()])).toEqual([
      ['raked', [mine, theirs].toSorted()],
      ['dug', [mine, theirs].toSorted()],
    ])
  })
})
