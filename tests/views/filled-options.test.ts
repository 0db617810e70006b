import { describe, expect, it } from 'vitest'
import type { Field, Fields } from '#schema/field-types.ts'
import { say } from '#schema/words.ts'
import { dependentsOf, withFilledOptions } from '#views/form/filled-options.ts'

const field = (options: string): Field => ({ type: 'reference', label: ['Firmware', 'Прошивка'], to: 'firmware', options })
const optionsOf = (given: Field, values: Record<string, unknown>) => {
  const filled = withFilledOptions(given, values)
  return filled.field.type === 'reference' && !filled.isClosed ? filled.field.options : undefined
}

describe('choices that depend on another field', () => {
  const offers = field('firmware/for-request-update?controlPcbId={controlPcbId}')
  const board: Field = { type: 'reference', label: ['Board', 'Плата'], to: 'control-pcb' }

  it('are asked for with its value once it is chosen, and closed until then', () => {
    expect(optionsOf(offers, { controlPcbId: null })).toBeUndefined()
    expect(optionsOf(offers, { controlPcbId: 'a/b' })).toBe('firmware/for-request-update?controlPcbId=a%2Fb')
    expect(optionsOf(field('x?a={a}&b=1&c={c}'), { c: 'z' })).toBeUndefined()
    expect(optionsOf(field('x?a={a}&b=1&c={c}'), { a: 0, c: 'z' })).toBe('x?a=0&b=1&c=z')
  })

  it('say what has to be chosen first', () => {
    const { field: closed, isClosed } = withFilledOptions(offers, {}, { controlPcbId: board, firmwareId: offers })
    expect(isClosed).toBe(true)
    expect([say(closed.help ?? ['', ''], 'en'), say(closed.help ?? ['', ''], 'ru')]).toEqual([
      'First choose: Board',
      'Сначала выберите: Плата',
    ])
  })

  it('leave the id of the record to anyone who knows it', () => {
    const own = field('firmware/for-request-update?controlPcbId={id}')
    expect(withFilledOptions(own, { id: 'other' })).toEqual({ field: own, isClosed: false })
    expect(optionsOf(field('x/{id}?a={a}'), { a: 'b' })).toBe('x/{id}?a=b')
  })

  it('are the same field for the same value, so that nothing is redrawn', () => {
    const { field: first } = withFilledOptions(offers, { controlPcbId: 'a' })
    expect(withFilledOptions(offers, { controlPcbId: 'a' }).field).toBe(first)
  })

  it('end with its value, and so do those that depend on them', () => {
    const fields: Fields = { siteId: board, boardId: field('board?siteId={siteId}'), portId: field('port?boardId={boardId}') }
    expect(dependentsOf(fields, 'siteId')).toEqual(['boardId', 'portId'])
    expect(dependentsOf(fields, 'boardId')).toEqual(['portId'])
    expect(dependentsOf(fields, 'portId')).toEqual([])
  })
})
