import { expect, it } from 'vitest'
import { roomFault } from '#server/db/backup/copy-embedded.ts'

it('a copy that a disk has too little room for says how much it wants, and that is more than what is free', () => {
  expect(roomFault(65_000_000, 69_500_000)).toBe('The copy needs 72 MB beside the database, and 69 MB are free.')
  expect(roomFault(65_000_000, 71_500_001)).toBeUndefined()
})
