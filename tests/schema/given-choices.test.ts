import { describe, expect, it } from 'vitest'
import { user } from '#resources/user.ts'
import { choicesIn } from '#schema/facts/choices.ts'
import { givenChoices } from '#schema/form/given-choices.ts'

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
