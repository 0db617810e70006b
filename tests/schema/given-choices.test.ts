import { describe, expect, it } from 'vitest'
import { user } from '#resources/user.ts'
import { choicesIn } from '#schema/facts/choices.ts'
import type { Fields } from '#schema/field-types.ts'
import { givenChoices } from '#schema/form/given-choices.ts'
import { givenForm } from '#schema/form/given-form.ts'

const { role } = user.fields
const offered = (viewer: 'admin' | 'moderator', stored?: object) => {
  const field = givenChoices({ role }, viewer, { ...stored }).role
  return field && choicesIn(field)
}
const below = ['service_engineer', 'installer', 'client']

describe('the roles that a form of a user offers', () => {
  it('are all of them to an admin', () => {
    expect(offered('admin')).toEqual(['admin', 'moderator', ...below])
  })

  it('leave out to a moderator those that only an admin gives', () => {
    expect(offered('moderator')).toEqual(below)
  })

  it('keep the stored one, which is no choice of the moderator', () => {
    expect(offered('moderator', { role: 'moderator' })).toEqual(['moderator', ...below])
  })
})

describe('the choices that a form of an action offers', () => {
  const options = ['GREEN', 'RED']
  const label = ['Level', 'Уровень'] as const
  const fields: Fields = { level: { type: 'enum', label, options, givenBy: { RED: ['admin'] } } }
  const plain: Fields[string] = { type: 'enum', label, options }
  const inForm = (form: Fields, viewer: 'admin' | 'moderator', set?: Record<string, string>, stored?: object) => {
    const action = { label, form, ...(set ? { set } : {}) }
    const given = givenForm({ action, form, fields, role: viewer, stored: { ...stored } })
    return Object.values(given).map(choicesIn)
  }

  it('are those that the role may give to the field of the record', () => {
    expect(inForm({ level: plain }, 'admin')).toEqual([options])
    expect(inForm({ level: plain }, 'moderator')).toEqual([['GREEN']])
    expect(inForm({ next: plain }, 'moderator', { level: '$form.next' })).toEqual([['GREEN']])
    expect(inForm({ next: plain }, 'moderator')).toEqual([options])
  })

  it('keep the stored one', () => {
    expect(inForm({ level: plain }, 'moderator', undefined, { level: 'RED' })).toEqual([options])
  })
})
