import { expect, it } from 'vitest'
import { WatchedRules } from '#tests/support/watched-rules.ts'

it('says a value with two decimals, as its definition does', () => {
  const board = new WatchedRules()
  // 26 of 24.18 A are 107.5268… %.
  const values = { batteryCurrentA: -26, chargeCurrentLimitA: 24.18 }
  board.see(0, values)
  expect(board.see(60, values).raised).toMatchObject([{ code: 'OVER_CHARGE_CURRENT', value: 107.53, threshold: 105 }])
})

it('a single sample raises nothing, however bad: a delay counts from one sample to another', () => {
  const board = new WatchedRules(900)
  const burst = { cellVoltageMinMv: 3_650, cellVoltageAvgMv: 3_655, cellVoltageMaxMv: 3_660 }
  expect(board.see(0, burst).raised).toEqual([])
  expect(board.see(300, {}).raised).toEqual([])
  board.see(300, burst)
  expect(board.see(300, burst).raised).toMatchObject([{ code: 'CELL_OVER_VOLT', severity: 'CRITICAL', trip: true }])
})
