import { afterEach, expect, it } from 'vitest'
import { formatMessage, rtlLocales } from '#schema/format/message.ts'

const text = '{count, plural, one {# يوم} other {# أيام}}: {value}'

afterEach(() => rtlLocales.clear())

it('keeps the order of a value within a text from right to left', () => {
  rtlLocales.add('ar')
  expect(formatMessage('القدرة {value}', { value: '12.3 kW' }, 'ar')).toBe('القدرة \u206812.3 kW\u2069')
  expect(formatMessage(text, { count: 1, value: '24 h' }, 'ar')).toBe('1 يوم: \u206824 h\u2069')
})

it('adds nothing to the other languages', () => {
  rtlLocales.add('ar')
  expect(formatMessage('Power {value}', { value: '12.3 kW' }, 'en-GB')).toBe('Power 12.3 kW')
})
