import { describe, expect, it } from 'vitest'
import type { Field } from '#schema/field-types.ts'
import { valueSchema } from '#schema/value-schema.ts'

/** Quadratic: quick over the sixty characters of the field, and minutes over a body of half a megabyte. */
const facts = { label: ['Code', 'Код'], maxLength: 60, pattern: '.*.*=', help: ['Like a=', 'Например, a='] } as const

describe('a text that is longer than its field', () => {
  it.each([
    { ...facts, type: 'text' },
    { ...facts, type: 'code' },
  ] as const satisfies Field[])('is refused as $type without being matched', (field) => {
    const started = performance.now()
    const { error } = valueSchema(field).safeParse('a'.repeat(300_000))
    expect(error?.issues.map(({ code }) => code)).toEqual(['too_big'])
    expect(performance.now() - started).toBeLessThan(2000)
  })

  it('is still matched where it fits', () => {
    const field: Field = { ...facts, type: 'text' }
    expect(valueSchema(field).safeParse('a='.repeat(5)).success).toBe(true)
    expect(valueSchema(field).safeParse('a'.repeat(5)).success).toBe(false)
  })
})
