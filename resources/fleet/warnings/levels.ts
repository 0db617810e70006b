export type Severity = 'INFO' | 'WARNING' | 'CRITICAL'

/** A condition holds from `raise` on, until the value is back at `clear`. */
export type Bounds = { raise: number; clear: number }
/** Of a range the bounds are distances from its centre; `under`: those below it, where they differ from those above. */
export type SidedBounds = Bounds & { under?: Bounds }

/** One level of a warning. `trip`: the board switches the battery off. `latch`: it stays until it is cleared by hand. */
export type Level = SidedBounds & { severity: Severity; trip?: true; latch?: true }

type Trip = Pick<Level, 'trip' | 'latch' | 'under'>
export const trips: Trip = { trip: true }
export const latches: Trip = { trip: true, latch: true }

const level =
  (severity: Severity) =>
  (raise: number, clear: number, more: Trip = {}): Level => ({ severity, raise, clear, ...more })

export const info = level('INFO')
export const warning = level('WARNING')
export const critical = level('CRITICAL')

/** A level with all of its bounds replaced. */
export const withBounds = ({ under: _, ...level }: Level, { raise, clear, under }: SidedBounds): Level => ({
  ...level,
  raise,
  clear,
  ...(under ? { under } : {}),
})
