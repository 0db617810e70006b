import { describe, expect, it } from 'vitest'
import { conditionDurationS } from '#widgets/warning/condition-duration.ts'

const raisedAt = '2026-11-22T12:00:00Z'
const nowMs = Date.parse('2026-11-22T12:02:00Z')

describe('the length of a warning', () => {
  it('counts from the beginning of its condition, not from when it was raised', () => {
    expect(conditionDurationS({ startedAt: '2026-11-20T12:00:00Z', raisedAt, active: true }, nowMs)).toBe(2 * 86_400 + 120)
    expect(conditionDurationS({ startedAt: null, raisedAt, active: true }, nowMs)).toBe(120)
  })

  it('ends with the condition', () => {
    const clearedAt = '2026-11-22T12:01:00Z'
    expect(conditionDurationS({ startedAt: '2026-11-22T11:00:00Z', raisedAt, active: false, clearedAt }, nowMs)).toBe(3_660)
  })
})
