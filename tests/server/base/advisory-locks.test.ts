import { expect, it } from 'vitest'
import { locks } from '#server/base/advisory-locks.ts'

it('each advisory lock has a number of its own', () => {
  const numbers = Object.values(locks)
  expect(new Set(numbers).size).toBe(numbers.length)
})
