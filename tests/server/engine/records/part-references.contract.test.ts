import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { exportPart } from '#server/engine/export/export-part.ts'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyAnswer, type ToyServer } from '#tests/support/toy-server.ts'

type Json = Record<string, unknown>

const staff = ['admin', 'moderator'] as const
const open = { list: staff, create: staff, edit: staff, delete: staff }

const crane = defineResource({
  name: 'crane',
  label: { one: ['Crane', 'Кран'], many: ['Cranes', 'Краны'] },
  fields: {
    code: { type: 'code', label: ['Code', 'Код'], required: true, unique: true },
    kind: { type: 'enum', label: ['Kind', 'Вид'], options: ['A', 'B'] },
  },
  access: { ...open, list: ['admin'], show: ['admin'] },
})

const ofKindA = { type: 'reference', label: ['Crane', 'Кран'], to: 'crane', options: 'crane?kind=A' } as const
const many = { type: 'references', label: ['Others', 'Другие'], to: 'crane', options: 'crane?kind=A' } as const
const items = { type: 'list', label: ['Items', 'Строки'], fields: { craneId: ofKindA, craneIds: many } } as const

/** Rows that point to records, and records that only an admin may list. */
const job = defineResource({
  name: 'job',
  label: { one: ['Job', 'Работа'], many: ['Jobs', 'Работы'] },
  fields: { name: { type: 'text', label: ['Name', 'Название'], required: true }, items },
  actions: { plan: { label: ['Plan', 'Запланировать'], form: { items } } },
  access: open,
})

const stop = { type: 'reference', label: ['Crane', 'Кран'], to: 'crane' } as const

const trip = defineResource({
  name: 'trip',
  label: { one: ['Trip', 'Поездка'], many: ['Trips', 'Поездки'] },
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    rows: {
      type: 'list',
      label: ['Rows', 'Строки'],
      fields: {
        craneId: stop,
        craneIds: { type: 'references', label: ['Cranes', 'Краны'], to: 'crane' },
        crane2: { type: 'group', label: ['Second', 'Второй'], fields: { craneId: stop } },
        byId: stop,
        by: { type: 'text', label: ['By', 'Кто'] },
      },
    },
    plan: {
      type: 'group',
      label: ['Plan', 'План'],
      fields: {
        craneId: stop,
        stops: { type: 'list', label: ['Stops', 'Остановки'], fields: { craneId: stop } },
        second: { type: 'group', label: ['Second', 'Второй'], fields: { craneId: stop } },
      },
    },
    found: { type: 'list', label: ['Found', 'Найдено'], derived: true, detailOnly: true, fields: { craneId: stop } },
  },
  access: open,
})

/** Every look for cranes is counted by a function that the planner may repeat. */
const rules: RulesByResource = {
  trip: {
    derived: {
      found: sql`(select jsonb_agg(jsonb_build_object('craneId', "c"."id")) from "crane" "c" where look() > 0 and "c"."code" = 'C-1')`,
    },
  },
}
const looks = [
  'create sequence "looked"',
  `create function look() returns bigint stable as 'select nextval(''looked'')' language sql`,
]

describe.each(oneEngine(import.meta.filename))('a reference in the rows of a list, on $name', (engine) => {
  let server: ToyServer
  let [good, wrong]: Json[] = []
  beforeAll(async () => {
    server = await openToyServer(engine, rules, definitionsOf([crane, job, trip]), [exportPart({})])
    for (const look of looks) await server.select(look)
    good = await server.made('crane', { code: 'C-1', kind: 'A' })
    wrong = await server.made('crane', { code: 'C-2', kind: 'B' })
  })
  afterAll(() => server.close())

  const faultsOf = ({ status, body }: ToyAnswer) => ({ status, fields: body.fields })
  const refused = (...paths: string[]) => ({
    status: 400,
    fields: Object.fromEntries(paths.map((path) => [path, expect.stringContaining('cannot be chosen')])),
  })

  it('is refused where its options do not list the record', async () => {
    const rows = [{ craneId: good?.id }, { craneId: wrong?.id, craneIds: [good?.id, wrong?.id] }]
    const asked = { name: 'Lift', items: rows }
    expect(faultsOf(await server.post('job', asked))).toEqual(refused('items.1.craneId', 'items.1.craneIds.1'))
    const { id } = await server.made('job', { name: 'Lift', items: [{ craneId: good?.id }] })
    const edited = await server.put(`job/${id}`, { items: rows, version: 1 })
    expect(faultsOf(edited)).toEqual(refused('items.1.craneId', 'items.1.craneIds.1'))
    expect(faultsOf(await server.put(`job/${id}/plan`, { items: rows }))).toEqual(
      refused('items.1.craneId', 'items.1.craneIds.1'),
    )
  })

  it('travels with the record that it points to, which is never stored', async () => {
    const rows = [{ craneId: good?.id, craneIds: [good?.id, wrong?.id], crane2: { craneId: good?.id } }, { craneId: null }]
    Object.assign(rows[0] ?? {}, { byId: good?.id, by: 'Old' })
    const { id } = await server.made('trip', { name: 'Far', rows })
    const c1 = { id: good?.id, code: 'C-1' }
    const shown = [
      { craneId: good?.id, crane: c1, craneIds: [good?.id, wrong?.id], craneIdsRef: [c1, { id: wrong?.id, code: 'C-2' }] },
      { craneId: null, crane: null },
    ]
    const record = await server.get(`trip/${id}`)
    expect(record.body).toMatchObject({ rows: shown })
    expect(record.body).toMatchObject({ rows: [{ crane2: { craneId: good?.id, crane: c1 } }, {}] })
    // A part of the summary's name stays as it is.
    expect(record.body).toMatchObject({ rows: [{ byId: good?.id, by: 'Old' }, {}] })
    expect((await server.get('trip?name=Far')).rows).toMatchObject([{ rows: shown }])
    expect((await server.get('export/trip?format=csv&columns=rows')).text).toContain('C-2')
    // A value as it was shown may be sent back, and is no change.
    expect((await server.put(`trip/${id}`, { rows: record.body.rows, version: 1 })).body).toMatchObject({ version: 1 })
    const changed = await server.put(`trip/${id}`, { rows: [{ craneId: wrong?.id }], version: 1 })
    expect(changed.body, changed.text).toMatchObject({ rows: [{ crane: { code: 'C-2' } }], version: 2 })
    const [stored] = await server.select(`select "rows"::text as "rows" from "trip" where "id" = '${id}'`)
    expect(stored?.rows).not.toContain('C-2')
    expect((await server.put(`trip/${id}`, { rows: [{ craneId: wrong?.id }], version: 2 })).body).toMatchObject({ version: 2 })
    const { body } = await server.get('openapi.json')
    const { properties } = Object(body).components.schemas.Trip
    const parts = JSON.stringify(properties.rows)
    expect(['"crane"', '"craneIdsRef"'].filter((key) => !parts.includes(key))).toEqual([])
  })

  it('travels with it inside of groups, too', async () => {
    const [c1, c2] = [good, wrong].map((made) => ({ craneId: made?.id, crane: { id: made?.id, code: made?.code } }))
    const [one, two] = [{ craneId: good?.id }, { craneId: wrong?.id }]
    const { id } = await server.made('trip', { name: 'Wide', plan: { ...one, stops: [one, two], second: two } })
    const sent = { ...one, stops: [c1, c2], second: c2 }
    const shown = { ...sent, ...c1 }
    const { body } = await server.get(`trip/${id}`)
    expect(body.plan).toEqual(shown)
    expect((await server.get('trip?name=Wide')).rows).toMatchObject([{ plan: shown }])
    expect((await server.put(`trip/${id}`, { plan: sent, version: 1 })).body).toMatchObject({ version: 1 })
    const changed = await server.put(`trip/${id}`, { plan: { ...sent, stops: [c2] }, version: 1 })
    expect(changed.body, changed.text).toMatchObject({ plan: { ...c1, stops: [c2], second: c2 }, version: 2 })
    const [stored] = await server.select(`select "plan" from "trip" where "id" = '${id}'`)
    expect(stored?.plan).toEqual({ ...one, stops: [two], second: two })
    expect((await server.put(`trip/${id}`, { plan: null, version: 2 })).body).toMatchObject({ plan: null, version: 3 })
  })

  it('is looked for once where the list is derived', async () => {
    const { id } = await server.made('trip', { name: 'Near' })
    const looked = async () => Number((await server.select(`select "last_value" from "looked"`))[0]?.last_value)
    const before = await looked()
    const { body } = await server.get(`trip/${id}`)
    expect(body.found).toEqual([{ craneId: good?.id, crane: { id: good?.id, code: 'C-1' } }])
    expect((await looked()) - before).toBe(1)
  })

  it('is no way to a record that the role may not list', async () => {
    const sent = (crane: Json | undefined) => server.post('job', { name: 'Lift', items: [{ craneId: crane?.id }] }, 'moderator')
    expect((await server.get('crane', 'moderator')).status).toBe(403)
    expect((await sent(good)).status).toBe(201)
    expect(faultsOf(await sent(wrong))).toMatchObject({ status: 400, fields: { 'items.0.craneId': expect.any(String) } })
  })
})
