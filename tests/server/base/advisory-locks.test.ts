import { describe, expect, it } from 'vitest'
import { locks } from '#server/base/advisory-locks.ts'

describe('advisory locks', () => {
  it('have a number each', () => {
    const numbers = Object.values(locks)
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  it('keep the numbers by which processes of an older version take them', () => {
    expect(locks).toMatchObject({ migrations: 727_001, definitions: 727_002, firmwareUploads: 727_003, lastAdmin: 727_101 })
  })
})
