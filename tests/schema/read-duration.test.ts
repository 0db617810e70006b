import { describe, expect, it } from 'vitest'
import { formatDuration } from '#schema/format/format.ts'
import { readDuration } from '#schema/format/read-duration.ts'

describe('a duration as people type it', () => {
  it.each([
    ['5400', 5_400],
    ['90 min', 5_400],
    ['90m', 5_400],
    ['1 h 30 min', 5_400],
    ['1h30m', 5_400],
    ['1.5 h', 5_400],
    ['1,5 ч', 5_400],
    ['1 ч 30 мин', 5_400],
    ['1:30', 5_400],
    ['0:01:05', 65],
    ['2 days', 172_800],
    ['1 w', 604_800],
    ['1 г. 2 д', 31_708_800],
    ['0', 0],
  ])('%s is read', (text, seconds) => {
    expect(readDuration(text)).toBe(seconds)
  })

  it.each(['', 'soon', '1 h 30', '5 apples', '1:75', '0.5 s', '-5', '1 h min', '9'.repeat(20)])('%s is no duration', (text) => {
    expect(readDuration(text)).toBeUndefined()
  })

  it.each(['en', 'ru'] as const)('is what the console writes in %s', (language) => {
    for (const seconds of [0, 1, 59, 60, 3_599, 5_400, 86_401, 93_784, 40_000_000])
      expect(readDuration(formatDuration(seconds, language, 5))).toBe(seconds)
  })
})
