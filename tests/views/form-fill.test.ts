import { describe, expect, it } from 'vitest'
import { filled, keptNames } from '#views/form/form-values.ts'

const hearth = { manufacturer: 'Voltern', model: 'Hearth 10', cellsInSeries: 16, modules: null }

describe('a form that takes over what a picked record says', () => {
  it('fills what is empty and leaves what is typed', () => {
    const typed = { code: 'A', manufacturer: 'Mine', model: '', cellsInSeries: null, modules: 3 }
    expect(filled(typed, hearth)).toEqual({
      code: 'A',
      manufacturer: 'Mine',
      model: 'Hearth 10',
      cellsInSeries: 16,
      modules: 3,
    })
  })

  it('follows the record that is picked instead, but not what was typed since', () => {
    const first = filled({ manufacturer: null, model: null, cellsInSeries: null, modules: null }, hearth)
    const other = { ...hearth, model: 'Hearth 15', cellsInSeries: 15 }
    expect(filled({ ...first, cellsInSeries: 20 }, other, hearth)).toMatchObject({ model: 'Hearth 15', cellsInSeries: 20 })
  })

  it('names what is another than the record says, and not what the record leaves open', () => {
    expect(keptNames({ ...hearth, manufacturer: 'Mine', modules: 3 }, hearth)).toEqual(['manufacturer'])
  })
})
