import { describe, expect, it } from 'vitest'
import { dividedSizes, rowsOrUsual } from '#schema/form/divide.ts'

const division = {
  count: 'boards',
  share: 'sharePct',
  label: ['Wave {number}', 'Волна {number}'],
  usual: [{ boards: 1 }, { sharePct: 100 }],
} as const

describe('rows that divide a number', () => {
  it('take so many more, or up to a share of all, and the last one the rest', () => {
    const rows = [{ boards: 3 }, { boards: 3, sharePct: null }, { boards: null, sharePct: 50 }, { sharePct: 100 }]
    expect(dividedSizes(rows, division, 20)).toEqual([3, 3, 4, 10])
    expect(dividedSizes(rows, division, 4)).toEqual([3, 1, 0, 0])
  })

  it('never take more than there is, whatever is half typed', () => {
    const rows = [{ boards: -4 }, { boards: 1.5 }, { boards: Number.NaN }, { boards: 'x', sharePct: 400 }, {}]
    const sizes = dividedSizes(rows, division, 10)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(10)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(0)
  })

  it('are the usual ones where the list is empty', () => {
    expect(rowsOrUsual([], division)).toBe(division.usual)
    expect(rowsOrUsual(null, division)).toBe(division.usual)
    expect(rowsOrUsual([{ boards: 2 }], division)).toEqual([{ boards: 2 }])
  })
})
