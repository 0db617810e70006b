import type { Stress } from './step.ts'

/** Faults that can be injected at a board or its battery. */
export const faultKinds = [
  'WEAK_CELL',
  'HEAT',
  'COMMS_LOSS',
  'CLOCK_1970',
  'BIT_FLIPS',
  'GARBLED',
  'STUCK_SENSOR',
  'BROWNOUTS',
  'UPDATE_FAILS',
  'UPDATE_ROLLS_BACK',
  'CONFIG_REJECTED',
  'LOCAL_CHANGE',
  'GRID_OUTAGE',
  'OVER_TEMP',
  'DOOR_OPEN',
  'INSULATION_FAULT',
] as const
export type FaultKind = (typeof faultKinds)[number]

/** A fault and its period; `toMs` is exclusive. */
export type Fault = { kind: FaultKind; fromMs: number; toMs: number }

export const activeFaults = (faults: readonly Fault[], timeMs: number): ReadonlySet<FaultKind> =>
  new Set(faults.filter(({ fromMs, toMs }) => fromMs <= timeMs && timeMs < toMs).map(({ kind }) => kind))

/** An aged battery behind a blocked fan: 2.4 times the resistance, an eighth of the cooling, 12 K warmer surroundings. */
const heat = { ohmFactor: 2.4, coolingFactor: 8, ambientK: 12 }

export const stressOf = (active: ReadonlySet<FaultKind>): Stress => ({
  ...(active.has('HEAT') ? heat : { ohmFactor: 1, coolingFactor: 1, ambientK: 0 }),
  isGridOut: active.has('GRID_OUTAGE'),
  hasWeakCell: active.has('WEAK_CELL'),
})
