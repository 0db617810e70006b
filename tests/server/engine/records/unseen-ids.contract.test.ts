import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import { exportPart } from '#server/engine/export/export-part.ts'
import { countFigures } from '#server/fleet/dashboard/count-figures.ts'
import { engines } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const keeper = defineResource({
  name: 'keeper',
  label: { one: ['Keeper', 'Смотритель'], many: ['Keepers', 'Смотрители'] },
  title: 'name',
  unseen: { client: [], installer: [], service_engineer: ['name'] },
  fields: { name: { type: 'text', label: ['Name', 'Имя'], required: true } },
  tabs: { lots: { label: ['Lots', 'Участки'], resource: 'lot', from: 'keeper/{id}/lots' } },
  access: { list: ['admin', 'client'], create: ['admin'] },
  scope: { client: { field: 'id', op: 'eq', value: '$user.id' } },
})

const one = { type: 'reference', label: ['Keeper', 'Смотритель'], to: 'keeper' } as const
const several = { type: 'references', label: ['Helpers', 'Помощники'], to: 'keeper' } as const

const place = {
  type: 'group',
  label: ['Place', 'Место'],
  fields: { note: { type: 'text', label: ['Note', 'Заметка'] }, keeperId: one, helperIds: several },
} as const

const lot = defineResource({
  name: 'lot',
  label: { one: ['Lot', 'Участок'], many: ['Lots', 'Участки'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    yardId: { type: 'reference', label: ['Yard', 'Двор'], to: 'yard' },
    keeperId: one,
    helperIds: several,
    place,
    shifts: {
      type: 'list',
      label: ['Shifts', 'Смены'],
      fields: { day: { type: 'text', label: ['Day', 'День'] }, keeperId: one, helperIds: several },
    },
  },
  list: {
    columns: ['name', 'keeperId', 'helperIds', 'place.keeperId', 'place.helperIds', 'shifts'],
    search: ['name', 'keeperId'],
    sort: { field: 'name', order: 'asc' },
  },
  actions: { place: { label: ['Place', 'Разместить'], form: { place } } },
  figures: {
    kept: { place: 'spread', by: 'keeperId' },
    nobody: { place: 'now', label: ['Kept by nobody', 'Без смотрителя'], tone: 'warn', filters: { keeperId_null: true } },
  },
  access: { list: ['admin', 'client', 'installer', 'service_engineer'], create: ['admin'], edit: ['admin', 'client'] },
})

const yard = defineResource({
  name: 'yard',
  label: { one: ['Yard', 'Двор'], many: ['Yards', 'Дворы'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    lots: { type: 'count', label: ['Lots', 'Участки'], of: 'lot', by: 'yardId' },
    free: {
      type: 'count',
      label: ['Free', 'Свободно'],
      of: 'lot',
      by: 'yardId',
      where: { field: 'keeperId', op: 'null', value: true },
    },
  },
  access: { list: ['admin', 'client'], create: ['admin'] },
})

const definitions = definitionsOf([keeper, lot, yard])

describe.each(engines)('ids of records that "unseen" hides on $name', (engine) => {
  let server: ToyServer
  let [mine, theirs] = ['', '']
  const lots: Record<string, string> = {}
  const client = () => `client:${mine}`
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitions, [exportPart({})])
    mine = String((await server.made('keeper', { name: 'Mine' })).id)
    theirs = String((await server.made('keeper', { name: 'Theirs' })).id)
    const kept = (by: string, all: string[]) => ({ keeperId: by, helperIds: all })
    const made = async (name: string, body: object) => {
      lots[name] = String((await server.made('lot', { name, ...body })).id)
    }
    const both = kept(theirs, [mine, theirs])
    await made('a', {
      ...both,
      place: { note: 'gate', ...both },
      shifts: [
        { day: 'Mo', ...both },
        { day: 'Tu', keeperId: mine },
      ],
    })
    await made('b', kept(mine, [theirs]))
    await made('c', {})
  })
  afterAll(() => server.close())

  const names = async (query: string, as: string) => {
    const answer = await server.get(`lot?${query}`, as)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.total).toBe(answer.rows.length)
    return answer.rows.map(({ name }) => name).join('')
  }

  it('are left out of every kind of reference, in lists and records alike', async () => {
    const seen = { keeperId: null, helperIds: [mine] }
    const first = {
      ...seen,
      keeper: null,
      helperIdsRef: [{ id: mine, name: 'Mine' }],
      place: { note: 'gate', ...seen, keeper: null, helperIdsRef: [{ id: mine, name: 'Mine' }] },
      shifts: [
        { day: 'Mo', ...seen },
        { day: 'Tu', keeperId: mine, helperIds: null },
      ],
    }
    const [a, b, c] = (await server.get('lot', client())).rows
    expect(a).toMatchObject(first)
    expect(b).toMatchObject({ keeperId: mine, helperIds: null, place: null, shifts: null })
    expect(c).toMatchObject({ keeperId: null, helperIds: null, place: null, shifts: null })
    expect((await server.get(`lot/${lots.a}`, client())).body).toMatchObject(first)
    for (const path of ['lot', `lot/${lots.a}`, `lot/${lots.b}`, 'export/lot', `keeper/${mine}/lots`]) {
      const { status, text } = await server.get(path, client())
      expect(status, text).toBe(200)
      expect(text, path).not.toContain(theirs)
      expect((await server.get(path, 'installer')).text, path).not.toMatch(new RegExp(`${theirs}|"Mine"|Theirs`))
    }
  })

  it('are told to roles without an empty list', async () => {
    const [a] = (await server.get('lot', 'service_engineer')).rows
    expect(a).toMatchObject({
      keeperId: theirs,
      helperIds: [mine, theirs],
      place: { keeperId: theirs },
      shifts: [{ keeperId: theirs }, {}],
    })
  })

  it('are found by no filter: a reference without an id is as if it were empty', async () => {
    expect(await names(`keeperId=${theirs}`, 'admin')).toBe('a')
    expect(await names('keeperId_null=true', 'admin')).toBe('c')
    for (const as of [client(), 'installer']) {
      expect(await names(`keeperId=${theirs}`, as)).toBe('')
      expect(await names(`helperIds=${theirs}`, as)).toBe('')
      expect(await names(`place.keeperId=${theirs}`, as)).toBe('')
      expect(await names(`place.helperIds=${theirs}`, as)).toBe('')
      expect(await names(`keeperId_ne=${theirs}`, as)).toBe('abc')
      expect((await server.get(`export/lot?keeperId=${theirs}&columns=name`, as)).text.trim()).toMatch(/^\S+$/)
    }
    expect(await names('keeperId_null=true', client())).toBe('ac')
    expect(await names('keeperId_null=false', client())).toBe('b')
    expect(await names('keeperId_null=true', 'installer')).toBe('abc')
    expect(await names('q=Theirs', client())).toBe('')
  })

  it('of the own record are shown and found', async () => {
    expect(await names(`keeperId=${mine}`, client())).toBe('b')
    expect(await names(`helperIds=${mine}`, client())).toBe('a')
    expect(await names('q=Mine', client())).toBe('b')
  })

  it('are sorted by as empty ones', async () => {
    expect(await names('_sort=keeperId', 'admin')).toBe('bac')
    expect(await names('_sort=keeperId&_order=desc', 'admin')).toBe('abc')
    expect(await names('_sort=keeperId', client())).toBe('bac')
    expect(await names('_sort=keeperId&_order=desc', client())).toBe('bca')
  })

  it('are neither counted nor grouped by in figures', async () => {
    const figures = async (role: 'admin' | 'client') => {
      const caller = { userId: mine, role, sessionId: 's1', email: 'a@b.example' } as never
      const catalog = { definitions, rules: {}, clock: () => new Date('2026-03-02T08:00:00Z') }
      const [kept, nobody] = await countFigures(server.database.kysely, { catalog, caller, now: catalog.clock() })
      const groups = kept && 'groups' in kept ? (kept.groups ?? []) : []
      return { nobody: nobody?.count, groups: Object.fromEntries(groups.map(({ value, count }) => [value, count])) }
    }
    expect(await figures('admin')).toEqual({ nobody: 1, groups: { [mine]: 1, [theirs]: 1, null: 1 } })
    expect(await figures('client')).toEqual({ nobody: 2, groups: { [mine]: 1, null: 2 } })
  })

  it('are counted by nowhere', async () => {
    const { id: yardId } = await server.made('yard', { name: 'Y' })
    const free = await server.made('lot', { name: 'd', yardId })
    const kept = await server.made('lot', { name: 'e', yardId, keeperId: theirs })
    expect((await server.get('yard')).rows).toMatchObject([{ lots: 2, free: 1 }])
    expect((await server.get('yard', client())).rows).toMatchObject([{ lots: 2, free: null }])
    expect((await server.get('yard?free_gte=1', client())).rows).toEqual([])
    for (const { id } of [free, kept]) await server.database.pool.query('delete from "lot" where "id" = $1', [id])
  })

  it('stay where they are when the caller sends back what he was shown, with or without a change', async () => {
    const { text } = await server.get(`lot/${lots.a}`, client())
    const { version, keeperId, helperIds, place, shifts } = JSON.parse(text)
    const shown = {
      keeperId,
      helperIds,
      place: { note: place.note, keeperId: place.keeperId, helperIds: place.helperIds },
      shifts,
    }
    expect((await server.put(`lot/${lots.a}`, { version, ...shown }, client())).body).toMatchObject({ version })
    const changed = {
      helperIds: [],
      place: { ...shown.place, note: 'tower' },
      shifts: [{ day: 'We', keeperId: mine, helperIds: null }, shifts[0]],
    }
    const answer = await server.put(`lot/${lots.a}`, { version, ...changed }, client())
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).not.toContain(theirs)
    expect((await server.get(`lot/${lots.a}`)).body).toMatchObject({
      keeperId: theirs,
      helperIds: [theirs],
      place: { note: 'tower', keeperId: theirs, helperIds: [mine, theirs] },
      shifts: [
        { day: 'We', keeperId: mine },
        { day: 'Mo', keeperId: theirs, helperIds: [mine, theirs] },
      ],
    })
    const cleared = await server.put(`lot/${lots.a}`, { version: 2, place: null }, client())
    expect(cleared.status, cleared.text).toBe(200)
    expect((await server.get(`lot/${lots.a}`)).body).toMatchObject({
      place: { note: null, keeperId: theirs, helperIds: [theirs] },
    })
    const unshown = { note: 'gate', keeperId: null, helperIds: null }
    const acted = await server.put(`lot/${lots.a}/place`, { place: unshown }, client())
    expect(acted.status, acted.text).toBe(200)
    expect((await server.get(`lot/${lots.a}`)).body).toMatchObject({
      place: { note: 'gate', keeperId: theirs, helperIds: [theirs] },
    })
    const taken = await server.put(`lot/${lots.a}`, { version: 4, keeperId: mine, helperIds: [mine, theirs] })
    expect(taken.body).toMatchObject({ keeperId: mine, helperIds: [mine, theirs] })
  })
})
