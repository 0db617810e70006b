import { beforeEach, describe, expect, it } from 'vitest'
import type { Fields } from '#schema/field-types.ts'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const text = { type: 'text', label } as const
const role = { type: 'enum', label, options: ['ADMIN', 'CLIENT'] } as const
const person = visit({ role }, { name: 'person' })
const client = visit({}, { name: 'client', subset: { of: 'person', where: { role: 'CLIENT' } } })
const tool = visit({ name: text }, { name: 'tool' })
const others = [person, client, tool]
const to = (name: string) => ({ type: 'reference', label, to: name }) as const
const several = (name: string) => ({ type: 'references', label, to: name }) as const
const group = (fields: Fields) => ({ type: 'group', label, fields }) as const

describe.each(engines)('a start by another target of a reference on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(async () => {
    table = new PlannedTable(database())
    await table.start(visit({ who: to('person'), all: several('person'), place: group({ who: to('person') }) }), ...others)
    await table.fill('person', [
      ...Array.from({ length: 11 }, (_, index) => ({ id: `a${10 + index}`, role: 'ADMIN' })),
      { id: 'c1', role: 'CLIENT' },
    ])
  })
  const next = (name: string, more = {}) =>
    visit({ who: to(name), all: several(name), place: group({ who: to(name) }), ...more })

  it('is refused where rows hold ids that the new one does not have, and names ten of them', async () => {
    const rows = Array.from({ length: 11 }, (_, index) => ({ id: `v${10 + index}`, who: `a${10 + index}` }))
    await table.fill('visit', [{ id: 'v30', who: 'c1', all: ['c1', 'a10'], place: { who: 'a11' } }, ...rows])
    const about = { kind: 'target', stored: 'person', defined: 'client' }
    const refused = new Map((await table.refusalOf(next('client'), ...others)).map((obstacle) => [obstacle.field, obstacle]))
    expect(refused.get('who')).toMatchObject({ ...about, rows: 11 })
    expect(refused.get('who')?.examples).toHaveLength(10)
    expect(refused.get('all')).toMatchObject({ ...about, rows: 1, examples: [{ id: 'v30', value: ['c1', 'a10'] }] })
    expect(refused.get('place.who')).toMatchObject({ ...about, rows: 1, examples: [{ id: 'v30', value: 'a11' }] })
    expect(refused.size).toBe(3)
    await expect(table.start(next('tool'), ...others)).rejects.toThrow(
      'visit.who: 12 rows name a record that is no tool (it was a person)',
    )
  })

  it('goes on where each id is one of the new one, and where no row has any', async () => {
    expect(await table.refusalOf(next('tool'), ...others)).toEqual([])
    await table.start(next('person'), ...others)
    await table.fill('visit', [{ id: 'v1', who: 'c1', all: ['c1'], place: { who: 'c1' } }])
    expect(await table.refusalOf(next('client'), ...others)).toEqual([])
    expect(await table.refusalOf(next('person'), ...others)).toEqual([])
  })

  it('asks nothing of a target that is only called otherwise, and takes its ids under the former name', async () => {
    await table.fill('visit', [{ id: 'v1', who: 'nobody', all: ['a10'], place: { who: 'nobody' } }])
    const human = visit({ kind: { ...role, was: 'role' } }, { name: 'human', was: 'person' })
    const patron = visit({}, { name: 'patron', subset: { of: 'human', where: { kind: 'CLIENT' } } })
    expect((await table.plan(next('human'), human, tool)).obstacles).toEqual([])
    const { obstacles } = await table.plan(
      visit({ all: several('patron'), who: to('human'), place: group({ who: to('human') }) }),
      human,
      patron,
      tool,
    )
    expect(obstacles).toMatchObject([{ kind: 'target', field: 'all', rows: 1, stored: 'human', defined: 'patron' }])
  })

  it('is refused where a text becomes a reference and names no record', async () => {
    const plain = (field: object) =>
      visit({ who: to('person'), all: several('person'), place: group({ who: to('person') }), boss: { ...text, ...field } })
    await table.start(plain({}), ...others)
    await table.fill('visit', [
      { id: 'v1', boss: 'c1' },
      { id: 'v2', boss: 'Bob' },
    ])
    expect(await table.refusalOf(plain(to('person')), ...others)).toMatchObject([
      { kind: 'target', field: 'boss', stored: 'text', defined: 'person', rows: 1, examples: [{ id: 'v2', value: 'Bob' }] },
    ])
  })
})
