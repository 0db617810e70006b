import { expect, it } from 'vitest'
import { slowPattern, unjudgedPatterns } from '#server/dev/slow-pattern.ts'

it('a pattern that a busy machine has no time to judge is named and is no fault', () => {
  const source = '^(?:([a-z0-9]{1,60}-){1,40}[a-z]{1,60})$'
  expect(slowPattern(source, 250, 1)).toBeUndefined()
  expect(unjudgedPatterns()).toEqual([source])
})

it('a pattern is judged by the steps that it takes and not by the time, so that a slow machine refuses no other ones', () => {
  // Found to be slow by the time that its analysis took, on a machine with other work.
  expect(slowPattern('^(?:(?=.*[a-z])(?=.*\\d).{8,64})$', 100_000)).toBeUndefined()
  expect(slowPattern('^(?:(a*)\\1*\\1*b)$', 1000)).toContain('reads the same characters in several ways')
}, 60_000)
