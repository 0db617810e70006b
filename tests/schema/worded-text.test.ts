import { expect, test } from 'vitest'
import { cellPlace, furtherPlaces } from '#resources/fleet/cell-place.ts'
import { wordedText } from '#schema/format/worded-text.ts'

test('a value of the pattern reads as words in each language, and any other value stays as it is', () => {
  expect(wordedText(cellPlace, 'm9/c07', 'en')).toBe('module 9, cell 7')
  expect(wordedText(cellPlace, 'm9/c7', 'ru')).toBe('модуль 9, ячейка 7')
  expect(wordedText(cellPlace, furtherPlaces, 'en')).toBe('more places')
  expect(wordedText(cellPlace, furtherPlaces, 'ru')).toBe('ещё места')
  expect(wordedText(cellPlace, 'backupReservePct', 'en')).toBe('backupReservePct')
})
