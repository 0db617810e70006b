import { expect, it } from 'vitest'
import { faultText } from '#schema/faults.ts'
import type { Field } from '#schema/field-types.ts'

const label = ['Value', 'Значение'] as const
const powerW: Field = { type: 'quantity', label, unit: 'W', min: 0, max: 10_000 }
const share: Field = { type: 'percent', label }
const fee: Field = { type: 'money', label, currency: 'EUR' }
const lasts: Field = { type: 'duration', label }
const size: Field = { type: 'bytes', label }
const count: Field = { type: 'integer', label }

const above = (max: number) => ({ path: 'value', code: 'too-big', params: { max } })
const said = (max: number, field: Field | undefined) =>
  (['en', 'ru'] as const).map((language) => faultText(above(max), language, field).replaceAll(/[\u00a0\u202f]/g, ' '))

it.each<[number, Field | undefined, string, string]>([
  [10_000, powerW, '10,000 W', '10 000 Вт'],
  [99.5, share, '99.5%', '99,5 %'],
  [1_250, fee, '€1,250.00', '1 250,00 €'],
  [5_400, lasts, '1 h 30 min', '1 ч 30 мин'],
  [2_048, size, '2,048 b', '2 048 б'],
  [2_048, count, '2,048', '2 048'],
  [10_000, undefined, '10,000', '10 000'],
])('a bound of %d is read as a value of its field is', (max, field, english, russian) => {
  expect(said(max, field)).toEqual([`Must be ${english} or less`, `Должно быть не больше ${russian}`])
})

it('a count of characters is grouped and has no unit', () => {
  const fault = { path: 'value', code: 'too-long', params: { max: 2_000 } }
  expect(faultText(fault, 'en', powerW)).toBe('Use at most 2,000 characters')
})
