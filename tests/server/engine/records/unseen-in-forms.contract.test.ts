import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const name = { type: 'text', label: ['Name', 'Имя'], required: true } as const

const keeper = defineResource({
  name: 'keeper',
  label: { one: ['Keeper', 'Смотритель'], many: ['Keepers', 'Смотрители'] },
  title: 'name',
  unseen: { client: [] },
  fields: { name },
  access: { list: ['admin', 'client'], create: ['admin'] },
  scope: { client: { field: 'id', op: 'eq', value: '$user.id' } },
})

const keeperId = { type: 'reference', label: ['Keeper', 'Смотритель'], to: 'keeper' } as const
const helperIds = { type: 'references', label: ['Helpers', 'Помощники'], to: 'keeper' } as const
const shifts = {
  type: 'list',
  label: ['Shifts', 'Смены'],
  fields: { day: { type: 'text', label: ['Day', 'День'] }, keeperId, helperIds },
} as const

const lot = defineResource({
  name: 'lot',
  label: { one: ['Lot', 'Участок'], many: ['Lots', 'Участки'] },
  title: 'name',
  fields: { name, keeperId, helperIds, shifts },
  actions: {
    staff: { label: ['Staff', 'Распределить'], form: { keeperId, helperIds, shifts } },
    leave: { label: ['Leave', 'Оставить'], set: { keeperId: null } },
  },
  access: { list: ['admin', 'client'], create: ['admin'], edit: ['admin', 'client'] },
})

describe.each(oneEngine(import.meta.filename))('ids that "unseen" hides from the form of an action on $name', (engine) => {
  let server: ToyServer
  let [mine, theirs, id] = ['', '', '']
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitionsOf([keeper, lot]))
    mine = String((await server.made('keeper', { name: 'Mine' })).id)
    theirs = String((await server.made('keeper', { name: 'Theirs' })).id)
    const both = { keeperId: theirs, helperIds: [mine, theirs] }
    id = String((await server.made('lot', { name: 'a', ...both, shifts: [{ day: 'Mo', ...both }] })).id)
  })
  afterAll(() => server.close())

  async function act(action: string, body: object) {
    const answer = await server.put(`lot/${id}/${action}`, body, `client:${mine}`)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).not.toContain(theirs)
    return (await server.get(`lot/${id}`)).body
  }
  const shown = () => ({
    keeperId: null,
    helperIds: [mine],
    shifts: [{ day: 'Mo', keeperId: null, helperIds: [mine] }],
  })
  const stored = () => {
    const both = { keeperId: theirs, helperIds: [mine, theirs] }
    return { ...both, shifts: [{ day: 'Mo', ...both }] }
  }

  it('stay where they are when it sends back what the caller was shown', async () => {
    expect(await act('staff', shown())).toMatchObject({ version: 1, ...stored() })
  })

  it('stay beside what the caller changes', async () => {
    expect(await act('staff', { ...shown(), helperIds: [] })).toMatchObject({ ...stored(), helperIds: [theirs] })
  })

  it('go where the action itself empties them', async () => {
    expect(await act('leave', {})).toMatchObject({ keeperId: null, helperIds: [theirs] })
  })
})
