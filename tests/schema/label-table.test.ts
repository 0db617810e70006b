import { beforeEach, describe, expect, it, vi } from 'vitest'

let table: typeof import('#schema/label-table.ts')
beforeEach(async () => {
  vi.resetModules()
  table = await import('#schema/label-table.ts')
})

const english = { print: 'a', words: ['Code', 'Name'] }
const russian = { print: 'a', words: ['Код', 'Название'] }

describe('the labels of a built console', () => {
  it('have their words whether these come before the definitions or after', () => {
    table.fillLabels('en', english)
    const labels = table.labelsOf('a', 2)
    expect(labels.map(([en]) => en)).toEqual(['Code', 'Name'])
    table.fillLabels('ru', russian)
    expect(labels).toEqual([
      ['Code', 'Код'],
      ['Name', 'Название'],
    ])
  })

  it('are never those of another build', () => {
    table.labelsOf('a', 2)
    expect(() => table.fillLabels('ru', { ...russian, print: 'b' })).toThrow(/another version/)
    expect(table.labelTable[0]).toEqual(['', ''])
  })
})
