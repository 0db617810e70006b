import { describe, expect, it } from 'vitest'
import { checkResources } from '#schema/check-resources.ts'
import type { RelatedTab } from '#schema/definition.ts'
import { linkedValue, linkOf, mayInTab, newRowValues, type TabVerb, tabNamed } from '#schema/form/tab-links.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import { shelfDefinitions, shelfResources } from '#tests/support/shelf-definitions.ts'

function demanded<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the fixture has no such part')
  return value
}

const parent = demanded(shelfDefinitions.get('shelf'))
const place = (name: string) => ({ parent, tab: demanded(tabNamed(parent, name)) })
const placeOf = (tab: Partial<RelatedTab>) => ({ parent, tab: { label: parent.label.one, resource: 'book', ...tab } })
const context = { user: { id: 'u1', role: 'admin' }, now: '2026-01-01T00:00:00.000Z' } as const
const valuesOf = (name: string, record: object) => newRowValues(shelfDefinitions, place(name), record, context)

describe('a tab over records that refer to this one', () => {
  it('has the one reference by which they do', () => {
    const nameOf = (tab: Partial<RelatedTab>) => linkOf(shelfDefinitions, placeOf(tab))?.name
    expect(nameOf({})).toBe('shelfId')
    expect(nameOf({ resource: 'reader' })).toBe('shelfIds')
    expect(nameOf({ match: { colour: '$record.colour', shelfId: '$record.id' } })).toBe('shelfId')
    expect(nameOf({ match: { colour: '$record.id' } })).toBeUndefined()
    expect(nameOf({ match: { shelfId: '$record.colour' } })).toBeUndefined()
    expect(nameOf({ resource: 'shelf' })).toBeUndefined()
    expect(nameOf({ resource: 'nothing' })).toBeUndefined()
    expect(tabNamed(parent, 'constructor')).toBeUndefined()
    expect(checkResources(shelfResources)).toEqual([])
  })

  it('gives a new row all by which its rows are found, and nothing where one of these is empty', () => {
    expect(valuesOf('books', { id: 's1' })).toEqual({ shelfId: 's1' })
    expect(valuesOf('readers', { id: 's1' })).toEqual({ shelfIds: ['s1'] })
    expect(valuesOf('alike', { id: 's1', colour: 'red' })).toEqual({ shelfId: 's1', colour: 'red', state: 'GOOD' })
    expect(valuesOf('alike', { id: 's1', colour: null })).toBeUndefined()
  })

  it('gives it what the choices of its reference depend on, as far as the record has it', () => {
    expect(valuesOf('stickers', { id: 's1', colour: 'red' })).toEqual({ colour: 'red', shelfId: 's1' })
    expect(valuesOf('stickers', { id: 's1', colour: null })).toEqual({ shelfId: 's1' })
  })

  it('offers its verbs to those who may use them and write the reference', () => {
    const offered = (name: string, verb: TabVerb) =>
      (['admin', 'moderator', 'service_engineer', 'client'] as const).filter((role) =>
        mayInTab(permissionsFor(shelfDefinitions, role), shelfDefinitions, place(name), verb),
      )
    expect(offered('books', 'create')).toEqual(['admin', 'moderator'])
    expect(offered('readers', 'create')).toEqual(['admin', 'moderator', 'service_engineer'])
    expect(offered('scrolls', 'create')).toEqual(['admin'])
    expect(offered('all', 'create')).toEqual([])
    expect(offered('readers', 'attach')).toEqual(['admin', 'moderator'])
    expect(offered('scrolls', 'attach')).toEqual(['admin'])
    expect(offered('alike', 'attach')).toEqual([])
    expect(offered('alike', 'detach')).toEqual(['admin', 'moderator'])
    expect(offered('pages', 'attach')).toEqual(['admin', 'moderator'])
    expect(offered('pages', 'detach')).toEqual([])
  })

  it('sets the reference to this record or empties it, and leaves other records of a list where they are', () => {
    const [one, many] = ['books', 'readers'].map((name) => demanded(linkOf(shelfDefinitions, place(name))))
    expect(linkedValue(demanded(one), 's2', 's1', true)).toBe('s1')
    expect(linkedValue(demanded(one), 's1', 's1', false)).toBeNull()
    expect(linkedValue(demanded(one), 's1', 's1', true)).toBeUndefined()
    expect(linkedValue(demanded(one), 's2', 's1', false)).toBeUndefined()
    expect(linkedValue(demanded(many), null, 's1', true)).toEqual(['s1'])
    expect(linkedValue(demanded(many), ['s2'], 's1', true)).toEqual(['s2', 's1'])
    expect(linkedValue(demanded(many), ['s1', 's2'], 's1', false)).toEqual(['s2'])
    expect(linkedValue(demanded(many), ['s2'], 's1', false)).toBeUndefined()
  })
})
