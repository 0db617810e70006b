import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { holds, type Rule, type RuleContext } from '#schema/rule.ts'
import { rowsOf } from '#server/db/query.ts'
import { type Source, tableOf } from '#server/engine/sql/field-sql.ts'
import { ruleSql } from '#server/engine/sql/filter-and-order.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { child, people, task, toy } from '#tests/support/toy-resource.ts'
import { openToyServer, type ToyServer, toyRules } from '#tests/support/toy-server.ts'

const leaf = (
  field: string,
  op: Extract<Rule, { field: string }>['op'],
  value: Extract<Rule, { field: string }>['value'],
): Rule => ({
  field,
  op,
  value,
})
const ops = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const
const each = (field: string, ...values: Extract<Rule, { field: string }>['value'][]) =>
  values.flatMap((value) => ops.map((op) => leaf(field, op, value)))

const plain: readonly Rule[] = [
  ...each('name', 'Bear', 'bear', 'Ёлка', '$user.id', '$user.role', '$record.code', 5, null, true),
  ...each('pieces', 3, 3.5, '3', null, '$record.powerW', '$record.name'),
  ...each('powerW', 3, 12.5, '$record.pieces'),
  ...each('isLoud', true, false, null, 'true'),
  ...each('state', 'USED', null),
  ...each('boughtOn', '2019-05-01', '2020-01-01', '$now', null, '$record.soldOn', '$record.seenAt', 7),
  ...each('seenAt', '2026-01-01T00:00:00.000Z', '2026-01-01', '$now', null, '$record.boughtOn'),
  ...each('place.room', 'attic', '$record.name', null),
  ...each('place.shelf', 2, '$record.pieces', null),
  ...each('place.checkedAt', '2026-01-01T00:00:00.000Z', '$record.seenAt'),
  ...each('ownerId', '$user.id', null),
  ...each('isOld', true, false, null),
  ...each('taskCount', 0, 1),
  ...each('tags', 'x', 'y', 5, null, '$user.id', '$record.name', '$record.tags', '$record.pieces'),
  ...each('parts', 'x', null),
  ...['x', 2, true, null, '$record.pieces'].flatMap((value) => [leaf('extra', 'eq', value), leaf('extra', 'ne', value)]),
  ...each('name', '$record.tags'),
  leaf('tags', 'in', ['y', 'z']),
  leaf('tags', 'in', ['z', null]),
  leaf('tags', 'nin', ['y', 'z']),
  ...['name', 'pieces', 'place', 'place.shelf', 'parts', 'tags', 'isOld'].flatMap((field) => [
    leaf(field, 'null', true),
    leaf(field, 'null', false),
  ]),
  leaf('name', 'in', ['Bear', 'Doll']),
  leaf('name', 'nin', ['Bear', 'Doll']),
  leaf('name', 'in', []),
  leaf('name', 'nin', []),
  leaf('colour', 'in', ['RED', null]),
  leaf('colour', 'nin', ['RED', null]),
  leaf('ownerId', 'in', ['$user.id', '$record.name']),
  leaf('pieces', 'in', [1, 3, 'x']),
]
const composed: readonly Rule[] = plain.flatMap((rule, index) => {
  const other = plain[(index * 7 + 3) % plain.length] ?? rule
  return [{ not: rule }, { all: [rule, other] }, { any: [{ not: { all: [rule, { not: other }] } }, rule] }]
})

const bodies = [
  {
    code: 'A',
    name: 'Bear',
    pieces: 3,
    powerW: 3,
    isLoud: false,
    colour: 'RED',
    extra: 2,
    boughtOn: '2019-05-01',
    soldOn: '2020-01-01',
  },
  { code: 'BEAR', name: 'BEAR', powerW: 12.5, colour: 'BLUE', boughtOn: '2026-03-02', seenAt: '2026-01-01T00:00:00Z' },
  {
    code: 'C',
    name: 'ёлка',
    pieces: 2,
    place: { room: 'attic', shelf: 2, checkedAt: '2026-01-01T00:00:00.000Z' },
    tags: ['x', 'y'],
  },
  {
    code: 'D',
    name: 'attic',
    pieces: 9,
    place: { room: 'attic' },
    seenAt: '2026-03-02T08:00:00.123Z',
    parts: [],
    extra: ['x', 2],
  },
  {
    code: 'E',
    name: 'Ёлка',
    pieces: 1,
    isLoud: true,
    keeperNote: 'x',
    tags: ['Ёлка'],
    extra: { x: 2 },
    seenAt: '2027-01-01T00:00:00.001Z',
  },
]

describe.each(oneEngine(import.meta.filename))('a rule on $name', (engine) => {
  let server: ToyServer
  let records: Record<string, unknown>[] = []
  let ownerId = ''
  beforeAll(async () => {
    server = await openToyServer(engine)
    ownerId = String((await server.made('person', { email: 'a@b.example', name: 'A', kind: 'ADULT' })).id)
    for (const body of bodies) await server.made('toy', { ...body, ...(body.code === 'C' ? { ownerId } : {}) })
    const { id } = (await server.get('toy?code=D')).rows[0] ?? {}
    await server.made('task', { title: 'Fix', kind: 'REPAIR', toyId: id, isUrgent: true })
    records = (await server.get('toy')).rows
  })
  afterAll(() => server.close())

  it('has the same answer in SQL as in TypeScript', async () => {
    expect(records).toHaveLength(bodies.length)
    const source: Source = {
      resource: toy,
      definitions: definitionsOf([toy, task, people, child]),
      rules: toyRules,
      now: new Date(),
    }
    const context: RuleContext = { user: { id: ownerId, role: 'admin' }, now: '2026-03-02T08:00:00.123Z' }
    const different: unknown[] = []
    for (const rule of [...plain, ...composed]) {
      const condition = ruleSql(source, rule, context)
      const rows = await rowsOf(
        server.database.kysely,
        sql<{ code: string }>`select "t"."code" from ${sql.table(tableOf(toy))} as "t" where ${condition}`,
      )
      const found = rows.map(({ code }) => code).toSorted()
      const expected = records.filter((record) => holds(rule, record, context)).map(({ code }) => String(code))
      if (JSON.stringify(found) !== JSON.stringify(expected.toSorted())) different.push({ rule, found, expected })
    }
    expect(different).toEqual([])
  })
})
