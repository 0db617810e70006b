import { expect, it } from 'vitest'
import { displayName } from '#server/base/caller.ts'

it('signs what others read with the full name of the caller, or else with the masked address', () => {
  const email = 'anna.petrova@example.com'
  expect(displayName({ email, firstName: 'Anna', lastName: 'Petrova' })).toBe('Anna Petrova')
  expect(displayName({ email, firstName: 'Anna', lastName: '' })).toBe('Anna')
  expect(displayName({ email, firstName: '', lastName: null })).toBe('a***@example.com')
})
