import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isRelated } from '#schema/definition.ts'
import { linkedValue, linkOf, mayInTab, newRowValues, type TabVerb } from '#schema/form/tab-links.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { shelfDefinitions as definitions, shelfResources } from '#tests/support/shelf-definitions.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

type Json = Record<string, unknown>

const roles = ['admin', 'moderator', 'service_engineer'] as const
const places = shelfResources.flatMap((parent) =>
  Object.entries(parent.tabs ?? {}).flatMap(([name, tab]) => (isRelated(tab) ? [{ name, parent, tab }] : [])),
)
const cellsOf = (verb: TabVerb) =>
  places
    .filter(({ tab }) => tab[verb])
    .flatMap((place) => roles.map((role) => ({ ...place, role, link: linkOf(definitions, place) })))
type Cell = ReturnType<typeof cellsOf>[number]
const isOffered = (cell: Cell, verb: TabVerb) => mayInTab(permissionsFor(definitions, cell.role), definitions, cell, verb)

describe.each(oneEngine(import.meta.filename))('rows of a tab on $name', (engine) => {
  let server: ToyServer
  let shelf: Json = {}
  let other: Json = {}
  let count = 0
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitions)
    shelf = await server.made('shelf', { name: 'Upper', colour: 'red' })
    other = await server.made('shelf', { name: 'Lower' })
  })
  afterAll(() => server.close())

  it.each(cellsOf('create'))(
    'are made in $name by $role where the tab offers it, and refused where it does not',
    async (cell) => {
      const { role, tab } = cell
      count += 1
      const context = { user: { id: 'u1', role }, now: '2026-03-02T08:00:00.000Z' }
      const values = newRowValues(definitions, cell, shelf, context)
      const answer = await server.post(tab.resource, { name: `Row ${count}`, ...values }, role)
      expect(answer.status).toBe(isOffered(cell, 'create') ? 201 : 403)
      expect(await isHere(cell, answer.body.id)).toBe(answer.status === 201)
    },
  )

  const isHere = async ({ tab, link }: Cell, id: unknown) => {
    const { rows } = await server.get(`${tab.resource}?${link?.name}=${shelf.id}&_end=100`)
    return rows.some((row) => row.id === id)
  }
  /** Body that the console sends for a row that comes to the record, or leaves it. */
  const linked = (row: Json, { link }: Cell, isLinked: boolean) => ({
    [link?.name ?? '']: link && linkedValue(link, row[link.name], String(shelf.id), isLinked),
    version: row.version,
  })

  it.each(cellsOf('attach'))('come to the record in $name by $role where the tab offers it', async (cell) => {
    count += 1
    const { tab, link, role } = cell
    const there = link?.field.type === 'references' ? [other.id] : other.id
    const row = await server.made(tab.resource, { name: `Row ${count}`, [link?.name ?? '']: there })
    const answer = await server.put(`${tab.resource}/${row.id}`, linked(row, cell, true), role)
    expect(answer.status).toBe(isOffered(cell, 'attach') ? 200 : 403)
    expect(await isHere(cell, row.id)).toBe(answer.status === 200)
    if (answer.status !== 200 || !tab.detach) return
    const left = await server.put(`${tab.resource}/${row.id}`, linked(answer.body, cell, false), role)
    expect([left.status, await isHere(cell, row.id)]).toEqual([200, false])
    if (link?.field.type === 'references') expect(left.body.shelfIds).toEqual([other.id])
  })

  it('are refused one by one: changed meanwhile, or full', async () => {
    const put = (path: string, row: Json, values: Json) => server.put(`${path}/${row.id}`, { ...values, version: row.version })
    const stale = await server.made('book', { name: 'Stale' })
    await put('book', stale, { colour: 'blue' })
    expect((await put('book', stale, { shelfId: shelf.id })).status).toBe(409)
    const third = await server.made('shelf', { name: 'Third' })
    const full = await server.made('reader', { name: 'Full', shelfIds: [other.id, third.id] })
    const refused = await put('reader', full, { shelfIds: [other.id, third.id, shelf.id] })
    expect(refused).toMatchObject({ status: 400, body: { fields: { shelfIds: expect.any(String) } } })
  })

  it('do not come to a record that is not there', async () => {
    const answer = await server.post('book', { name: 'Lost', shelfId: '00000000-0000-4000-8000-000000000000' })
    expect(answer).toMatchObject({ status: 400, body: { fields: { shelfId: expect.any(String) } } })
  })
})
