import { describe, expect, it } from 'vitest'
import { furtherPlaces, mostPlaces } from '#resources/fleet/cell-place.ts'
import { WatchedRules } from '#tests/support/watched-rules.ts'

const full = (cell: number) => ({ cellVoltageMaxMv: 3_590, cellVoltageMaxPos: `m1/c${cell}` })

describe('the warning of all further places', () => {
  it('is of a cell that has none of its own, and nothing is raised anew', () => {
    const board = new WatchedRules()
    for (let cell = 1; cell <= mostPlaces; cell++) board.during(120, full(cell))
    const last = board.open.at(-1)
    if (!last) throw new Error('nothing is open')
    expect(board.open).toHaveLength(mostPlaces)
    board.open = [...board.open, { ...last, subject: furtherPlaces }]
    const found = [0, 60, 60].map((afterS) => board.see(afterS, full(99)))
    expect(found.flatMap(({ raised }) => raised)).toEqual([])
    expect(found.map(({ seen }) => seen.map(({ subject }) => subject))).toEqual(Array(3).fill([furtherPlaces]))
  })
})
