import { describe, expect, it } from 'vitest'
import { faultText } from '#schema/faults.ts'
import type { FieldOf } from '#schema/field-types.ts'
import { decimalsOf, isExact, plainNumber } from '#schema/format/exact.ts'
import { formatMoney } from '#schema/format/money.ts'
import { check, createSchema } from '#schema/record-schema.ts'

const label = ['Price', 'Цена'] as const
type Facts = Omit<FieldOf<'decimal'>, 'label'> | Omit<FieldOf<'money'>, 'label'> | Omit<FieldOf<'percent'>, 'label'>
const faultOf = (field: Facts, value: unknown) => {
  const result = check(createSchema({ price: { ...field, label } }), { price: value })
  return result.ok ? undefined : result.faults[0]
}

describe('an exact number', () => {
  it.each([
    [1234.5, 1, true],
    [0.1 + 0.2, 17, false],
    [123456789012345, 0, true],
    [1234567890123456, 0, false],
    [0.0000001, 7, true],
    [1e21, 0, false],
    [0, 0, true],
    [-0.05, 2, true],
    [12345678901234.56, 2, false],
  ])('%s has %i decimals, and is kept as it is: %s', (value, decimals, exact) => {
    expect([decimalsOf(value), isExact(value)]).toEqual([decimals, exact])
  })

  it('is written for other programs without an exponent', () => {
    expect([1e-7, 12.5, -3].map(plainNumber)).toEqual(['0.0000001', '12.5', '-3'])
  })

  it('has no more decimals than its field, and says how many', () => {
    const decimal = { type: 'decimal', digits: 2 } as const
    expect(faultOf(decimal, 12.34)).toBeUndefined()
    const fault = faultOf(decimal, 12.345)
    expect(fault).toEqual({ path: 'price', code: 'too-many-decimals', params: { digits: 2 } })
    expect(fault && faultText(fault, 'en')).toBe('Use at most 2 decimals')
    expect(fault && faultText(fault, 'ru')).toBe('Не больше 2 знаков после запятой')
    expect(faultOf(decimal, 0.1 + 0.2)?.code).toBe('too-many-figures')
    expect(faultOf({ type: 'decimal' }, 1e21)?.code).toBe('too-many-figures')
  })

  it('of percent has as many decimals as its field says, and any number where it says nothing', () => {
    expect(faultOf({ type: 'percent', digits: 2 }, 10.12)).toBeUndefined()
    expect(faultOf({ type: 'percent', digits: 2 }, 10.1234567)?.params).toEqual({ digits: 2 })
    expect(faultOf({ type: 'percent' }, 10.1234567)).toBeUndefined()
  })

  it('of money has the decimals of its currency', () => {
    expect(faultOf({ type: 'money', currency: 'EUR' }, 12.345)?.params).toEqual({ digits: 2 })
    const fault = faultOf({ type: 'money', currency: 'JPY' }, 12.5)
    expect(fault && faultText(fault, 'en')).toBe('Use a whole number')
    expect(faultOf({ type: 'money', currencyOf: 'currency', digits: 3 }, 12.345)).toBeUndefined()
  })
})

describe('an amount of money', () => {
  const shown = (value: number, currency: unknown, language: 'en' | 'ru') =>
    formatMoney(value, currency, {}, language).replace(/[\u00a0\u202f]/g, ' ')

  it('is written with its currency as the language has it', () => {
    expect(shown(1234.5, 'EUR', 'en')).toBe('€1,234.50')
    expect(shown(1234.5, 'EUR', 'ru')).toBe('1 234,50 €')
    expect(shown(1234, 'JPY', 'ru')).toContain('1 234')
  })

  it('loses no figure, and has no sign without a currency', () => {
    expect(shown(0.125, 'EUR', 'en')).toBe('€0.125')
    expect(shown(77, undefined, 'en')).toBe('77.00')
    expect(shown(77, 'no code', 'en')).toBe('77.00')
    expect(shown(77, 'XXQ', 'en')).toBe('XXQ 77.00')
    expect(shown(9999999999999.99, 'EUR', 'en')).toBe('€9,999,999,999,999.99')
    expect(shown(1234, 'JPY', 'en')).toBe('JP¥1,234')
  })
})
