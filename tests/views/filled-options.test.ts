import { describe, expect, it } from 'vitest'
import type { Field } from '#schema/field-types.ts'
import { withFilledOptions } from '#views/form/filled-options.ts'

const field = (options: string): Field => ({ type: 'reference', label: ['Firmware', 'Прошивка'], to: 'firmware', options })
const optionsOf = (given: Field, values: Record<string, unknown>) => {
  const filled = withFilledOptions(given, values)
  return filled.type === 'reference' ? filled.options : undefined
}

describe('choices that depend on another field', () => {
  const offers = field('firmware/for-request-update?controlPcbId={controlPcbId}')

  it('are asked for with its value once it is chosen, and for all until then', () => {
    expect(optionsOf(offers, { controlPcbId: null })).toBe('firmware/for-request-update')
    expect(optionsOf(offers, { controlPcbId: 'a/b' })).toBe('firmware/for-request-update?controlPcbId=a%2Fb')
    expect(optionsOf(field('x?a={a}&b=1&c={c}'), { c: 'z' })).toBe('x?b=1&c=z')
  })

  it('leave the id of the record to whoever knows it', () => {
    const own = field('firmware/for-request-update?controlPcbId={id}')
    expect(withFilledOptions(own, { id: 'other' })).toBe(own)
  })

  it('are the same field for the same value, so that nothing is drawn anew', () => {
    expect(withFilledOptions(offers, { controlPcbId: 'a' })).toBe(withFilledOptions(offers, { controlPcbId: 'a' }))
  })
})
