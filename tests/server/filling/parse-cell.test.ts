import { describe, expect, it } from 'vitest'
import { guessColumns } from '#schema/import-columns.ts'
import { addMessages } from '#schema/words.ts'
import { cellReader } from '#server/filling/parse-cell.ts'

const label = ['Switched', 'Включено'] as const
const kind = {
  type: 'enum',
  label: ['Kind', 'Вид'],
  options: { SLOW: ['Slow', 'Медленно'], FAST: ['Fast', 'Быстро'], Slow: ['Old', 'Старое'] },
} as const

describe('a cell', () => {
  addMessages('en-XA', { Yes: 'Ja', No: 'Nein', Slow: 'Langsam', Fast: 'Schnell', Switched: 'Leistung, max' })

  it.each([
    ['Ja', true],
    ['nein', false],
    ['Да', true],
    ['No', false],
    ['1', true],
    ['Jein', 'Jein'],
  ])('of yes or no is read in every language: %s', (text, value) => {
    expect(cellReader({ type: 'boolean', label }, false)(text)).toBe(value)
  })

  it.each([
    ['Schnell', 'FAST'],
    ['быстро', 'FAST'],
    ['slow', 'SLOW'],
    ['Old', 'Slow'],
    ['Rasch', 'Rasch'],
  ])('of a choice is read by key, then by its label in every language: %s', (text, value) => {
    expect(cellReader(kind, false)(text)).toBe(value)
  })

  it('stands below a head with a comma and a unit', () => {
    const column = { path: 'powerW', field: { type: 'quantity', unit: 'W', label }, label, required: false } as const
    expect(guessColumns([column], ['Leistung, max, W'])).toEqual(['powerW'])
  })
})
