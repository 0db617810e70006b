import { describe, expect, it } from 'vitest'
import { formatBytes, formatCount, formatDuration } from '#schema/format/format.ts'
import { unitStep } from '#schema/format/units.ts'

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('sizes of files', () => {
  it.each([
    [0, '0.0 b', '0,0 б'],
    [1023, '1,023.0 b', '1 023,0 б'],
    [1024, '1.0 KB', '1,0 КБ'],
    [16_777_216, '16.0 MB', '16,0 МБ'],
    [1.5 * 1024 ** 6, '1.5 EB', '1,5 ЭБ'],
    [5000 * 1024 ** 6, '5,000.0 EB', '5 000,0 ЭБ'],
  ])('go from b to EB with one decimal: %d', (bytes, en, ru) => {
    expect([plain(formatBytes(bytes, 'en')), plain(formatBytes(bytes, 'ru'))]).toEqual([en, ru])
  })
})

describe('counts', () => {
  it.each([
    [999, '999', '999'],
    [1000, '1K', '1К'],
    [1250, '1.3K', '1,3К'],
    [999_949, '999.9K', '999,9К'],
    [999_950, '1M', '1М'],
    [2_340_000, '2.3M', '2,3М'],
  ])('shorten thousands and millions: %d', (count, en, ru) =>
    expect([formatCount(count, 'en'), formatCount(count, 'ru')]).toEqual([en, ru]),
  )
})

it('shows a span in its two largest parts', () => {
  expect(formatDuration(93_784, 'en')).toBe('1 d 2 h')
  expect(formatDuration(59, 'ru')).toBe('59 с')
  expect(formatDuration(20_769 * 86_400, 'en')).toBe('56 y 329 d')
  expect([1, 3, 56].map((years) => formatDuration(years * 31_536_000, 'ru'))).toEqual(['1 г.', '3 г.', '56 л.'])
  expect(formatDuration(0, 'en')).toBe('0 s')
})

it('steps a unit up where it reads better, and never the value zero', () => {
  expect(unitStep('Wh', 12_500)).toMatchObject({ divide: 1000, symbol: ['kWh', 'кВт·ч'] })
  expect(unitStep('mV', 12_422)).toMatchObject({ divide: 1000, symbol: ['V', 'В'] })
  expect(unitStep('mV', 3_412)).toMatchObject({ divide: 1, symbol: ['mV', 'мВ'] })
  expect(unitStep('W', -2_000_000)).toMatchObject({ divide: 1e6 })
  expect(unitStep('V', 5000)).toMatchObject({ divide: 1 })
  expect(unitStep('W', 0)).toMatchObject({ divide: 1 })
})
