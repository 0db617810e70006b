export type Severity = 'INFO' | 'WARNING' | 'CRITICAL'

/**
 * One level of a warning: it holds from `raise` on, until the value is back at `clear`. `trip`: the board switches the battery off.
 * `latch`: it stays until it is cleared by hand.
 */
export type Level = { severity: Severity; raise: number; clear: number; trip?: true; latch?: true }

type Trip = Pick<Level, 'trip' | 'latch'>
export const trips: Trip = { trip: true }
export const latches: Trip = { trip: true, latch: true }

const level =
  (severity: Severity) =>
  (raise: number, clear: number, more: Trip = {}): Level => ({ severity, raise, clear, ...more })

export const info = level('INFO')
export const warning = level('WARNING')
export const critical = level('CRITICAL')
