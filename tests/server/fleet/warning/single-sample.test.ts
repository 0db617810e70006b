import { expect, it } from 'vitest'
import { WatchedRules } from '#tests/support/watched-rules.ts'

it('a single sample raises nothing, however bad: a delay counts from one sample to another', () => {
  const board = new WatchedRules(900)
  const burst = { cellVoltageMinMv: 3_650, cellVoltageAvgMv: 3_655, cellVoltageMaxMv: 3_660 }
  expect(board.see(0, burst).raised).toEqual([])
  expect(board.see(300, {}).raised).toEqual([])
  board.see(300, burst)
  expect(board.see(300, burst).raised).toMatchObject([{ code: 'CELL_OVER_VOLT', severity: 'CRITICAL', trip: true }])
})
