import { describe, expect, it } from 'vitest'
import { firmwareUpdate } from '#resources/firmware-update.ts'
import type { Language } from '#schema/words.ts'
import { cellOf } from '#server/engine/export/csv-cells.ts'

const { waitsFor, events } = firmwareUpdate.fields
const window = { days: ['1', '2', '3', '4', '5'], from: '01:00', to: '05:00', timezone: 'Europe/Berlin' }
const cell = (value: unknown, language: Language) => cellOf(value, waitsFor, { language, summary: undefined })

describe('a group in a cell of an exported list', () => {
  it('reads as on the screen where it is told in one line', () => {
    expect(cell(window, 'en')).toBe('Mon–Fri 01:00–05:00, Europe/Berlin')
    expect(cell({ ...window, days: ['6', '7'] }, 'ru')).toBe('Сб, Вс 01:00–05:00, Europe/Berlin')
    expect(cell(null, 'en')).toBe('')
  })

  it('and a list are JSON where there is no such line', () => {
    expect(cellOf([{ to: 'QUEUED' }], events, { language: 'en', summary: undefined })).toBe('[{"to":"QUEUED"}]')
  })
})
