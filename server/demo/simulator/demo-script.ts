import { dayMs, hourMs, minuteMs } from '#schema/format/durations.ts'
import { hashText, unitOf } from './chance.ts'
import type { BoardFault } from './fault-store.ts'
import type { FaultKind } from './faults.ts'

/** A board as the script selects it. */
export type Cast = {
  id: string
  code: string
  essId: string
  attachedMs: number
  role: 'MAIN' | 'MODULE'
  profile: string
  silentSinceMs: number | null
  hasBadData: boolean
}

type Scene = { kind: FaultKind; fromMs: number; lastsMs: number; fits?: (board: Cast) => boolean }

/** Scripted faults for a new user: some already present, some about to begin or end. Times are relative to the first start. */
const scenes: readonly Scene[] = [
  { kind: 'OVER_TEMP', fromMs: 2 * minuteMs, lastsMs: 9 * minuteMs },
  { kind: 'GRID_OUTAGE', fromMs: 4 * minuteMs, lastsMs: 12 * minuteMs },
  { kind: 'COMMS_LOSS', fromMs: -13 * minuteMs, lastsMs: 18 * minuteMs },
  { kind: 'COMMS_LOSS', fromMs: 6 * minuteMs, lastsMs: 25 * minuteMs },
  { kind: 'DOOR_OPEN', fromMs: 1 * minuteMs, lastsMs: 15 * minuteMs },
  { kind: 'INSULATION_FAULT', fromMs: -3 * hourMs, lastsMs: 3 * hourMs + 20 * minuteMs },
  { kind: 'HEAT', fromMs: -2 * dayMs, lastsMs: 30 * dayMs, fits: ({ profile }) => profile === 'HOME' },
  { kind: 'WEAK_CELL', fromMs: -2 * dayMs, lastsMs: 300 * dayMs, fits: ({ profile }) => profile === 'HOME' },
  { kind: 'WEAK_CELL', fromMs: -2 * dayMs, lastsMs: 300 * dayMs, fits: ({ profile }) => profile === 'COMMERCIAL' },
  { kind: 'STUCK_SENSOR', fromMs: -1 * dayMs, lastsMs: 3 * dayMs },
  { kind: 'BROWNOUTS', fromMs: 0, lastsMs: 2 * dayMs },
  { kind: 'CLOCK_1970', fromMs: 0, lastsMs: 2 * dayMs },
  { kind: 'CONFIG_REJECTED', fromMs: -10 * dayMs, lastsMs: 300 * dayMs },
  { kind: 'CONFIG_REJECTED', fromMs: -10 * dayMs, lastsMs: 300 * dayMs },
  { kind: 'BIT_FLIPS', fromMs: -10 * dayMs, lastsMs: 300 * dayMs },
  { kind: 'BIT_FLIPS', fromMs: -10 * dayMs, lastsMs: 300 * dayMs },
  { kind: 'BIT_FLIPS', fromMs: -10 * dayMs, lastsMs: 300 * dayMs },
]

const chanceFor = (seed: number, { code }: Cast) => unitOf(hashText(code), seed, 50)

/** The longer a board has been silent, the longer it stays silent. */
function silenceOf(board: Cast, seed: number, nowMs: number): BoardFault[] {
  const { id, silentSinceMs, hasBadData } = board
  if (silentSinceMs === null) return []
  const silentMs = Math.max(5 * minuteMs, nowMs - silentSinceMs)
  const kind = hasBadData ? 'GARBLED' : 'COMMS_LOSS'
  return [{ controlPcbId: id, kind, fromMs: silentSinceMs, toMs: nowMs + silentMs * (0.4 + chanceFor(seed, board)) }]
}

/** Initial faults of a fleet: a scene per healthy board, and silence for the silent ones. */
export function initialFaults(cast: readonly Cast[], seed: number, nowMs: number): BoardFault[] {
  const well = cast.filter(({ silentSinceMs, role }) => silentSinceMs === null && role === 'MAIN')
  const free = well.toSorted((a, b) => chanceFor(seed, a) - chanceFor(seed, b))
  const played = scenes.flatMap(({ kind, fromMs, lastsMs, fits }) => {
    const index = free.findIndex((board) => !fits || fits(board))
    const [board] = index < 0 ? [] : free.splice(index, 1)
    return board ? [{ controlPcbId: board.id, kind, fromMs: nowMs + fromMs, toMs: nowMs + fromMs + lastsMs }] : []
  })
  return [...played, ...cast.flatMap((board) => silenceOf(board, seed, nowMs))]
}

const unrest: readonly { kind: FaultKind; lastsMs: number }[] = [
  { kind: 'COMMS_LOSS', lastsMs: 26 * minuteMs },
  { kind: 'GRID_OUTAGE', lastsMs: 9 * minuteMs },
  { kind: 'DOOR_OPEN', lastsMs: 7 * minuteMs },
  { kind: 'COMMS_LOSS', lastsMs: 5 * minuteMs },
  { kind: 'GRID_OUTAGE', lastsMs: 22 * minuteMs },
  { kind: 'COMMS_LOSS', lastsMs: 48 * minuteMs },
  { kind: 'OVER_TEMP', lastsMs: 6 * minuteMs },
  { kind: 'DOOR_OPEN', lastsMs: 18 * minuteMs },
  { kind: 'GARBLED', lastsMs: 20 * minuteMs },
]
export const unrestEveryMs = 20 * minuteMs

/** Some days are busier than others: the share of slots in which something happens. */
const unrestShare = (seed: number, day: number) => 0.25 + 0.7 * unitOf(seed, day, 54)

/** The fault of a slot of twenty minutes, counted since 1970: at most one thing at one board. The past and the present share it. */
export function randomFaults(cast: readonly Cast[], seed: number, interval: number): BoardFault[] {
  const mains = cast.filter(({ role }) => role === 'MAIN')
  const board = mains[Math.floor(unitOf(seed, interval, 51) * mains.length)]
  const scene = unrest[Math.floor(unitOf(seed, interval, 52) * unrest.length)]
  const day = Math.floor((interval * unrestEveryMs) / dayMs)
  if (!board || !scene || unitOf(seed, interval, 55) > unrestShare(seed, day)) return []
  const fromMs = interval * unrestEveryMs + Math.floor(unitOf(seed, interval, 53) * unrestEveryMs)
  return [{ controlPcbId: board.id, kind: scene.kind, fromMs, toMs: fromMs + scene.lastsMs }]
}
