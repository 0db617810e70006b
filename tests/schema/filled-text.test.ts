import { expect, test } from 'vitest'
import { filledText } from '#schema/format/filled-text.ts'
import { filled } from '#schema/words.ts'

/** A line breaks at no space behind a number. */
const unbroken = (text: string) => text.replace(/(\d) /g, '$1\u00a0')

const day = (name: string) => (name === 'endsOn' ? '31 янв. 2027 г.' : undefined)

test('a sentence ends with one full stop, though its last value ends with one, and keeps an ellipsis', () => {
  expect(filledText('Действует до {endsOn}.', day)).toBe(unbroken('Действует до 31 янв. 2027 г.'))
  expect(filledText('Waiting for {endsOn}...', () => 'a board')).toBe('Waiting for a board...')
})

test('a part in brackets is left out when a value of it is unknown', () =>
  expect(filledText('Active[: until {endsOn}][, by {who}]', day)).toBe(unbroken('Active: until 31 янв. 2027 г.')))

test('a number in a value stays on one line with its unit', () => {
  const facts: Record<string, string> = { transport: 'Wi-Fi', rssiDbm: '-58 dBm' }
  expect(filledText('Last over {transport} at {rssiDbm}', (name) => facts[name])).toBe('Last over Wi-Fi at -58\u00a0dBm')
})

test('a label filled with another label says both in each language', () => {
  const open = ['Deep discharge', 'Глубокий разряд'] as const
  expect(filled(['{count} open: {title}', 'открыто {count}: {title}'], { count: 2, title: open })).toEqual([
    '2 open: Deep discharge',
    'открыто 2: Глубокий разряд',
  ])
})
