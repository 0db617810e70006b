import { hashText, unitOf } from './chance.ts'
import type { BoardFault } from './fault-store.ts'
import type { FaultKind } from './faults.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A board of the fleet as a script picks it. */
export type Cast = {
  id: string
  code: string
  role: 'MAIN' | 'MODULE'
  profile: string
  silentSinceMs: number | null
  hasBadData: boolean
}

type Scene = { kind: FaultKind; fromMs: number; lastsMs: number; fits?: (board: Cast) => boolean }

/**
 * Scripted faults for a new user: some have lasted for a while, some begin or end soon. Times are relative to the first start.
 */
const scenes: readonly Scene[] = [
  { kind: 'OVER_TEMP', fromMs: 2 * minute, lastsMs: 9 * minute },
  { kind: 'GRID_OUTAGE', fromMs: 4 * minute, lastsMs: 12 * minute },
  { kind: 'COMMS_LOSS', fromMs: -13 * minute, lastsMs: 18 * minute },
  { kind: 'COMMS_LOSS', fromMs: 6 * minute, lastsMs: 25 * minute },
  { kind: 'DOOR_OPEN', fromMs: 1 * minute, lastsMs: 15 * minute },
  { kind: 'INSULATION_FAULT', fromMs: -3 * hour, lastsMs: 3 * hour + 20 * minute },
  { kind: 'HEAT', fromMs: -2 * day, lastsMs: 30 * day, fits: ({ profile }) => profile === 'HOME' },
  { kind: 'WEAK_CELL', fromMs: -2 * day, lastsMs: 300 * day, fits: ({ profile }) => profile === 'HOME' },
  { kind: 'WEAK_CELL', fromMs: -2 * day, lastsMs: 300 * day, fits: ({ profile }) => profile === 'COMMERCIAL' },
  { kind: 'STUCK_SENSOR', fromMs: -1 * day, lastsMs: 3 * day },
  { kind: 'BROWNOUTS', fromMs: 0, lastsMs: 2 * day },
  { kind: 'CLOCK_1970', fromMs: 0, lastsMs: 2 * day },
  { kind: 'CONFIG_REJECTED', fromMs: -10 * day, lastsMs: 300 * day },
  { kind: 'CONFIG_REJECTED', fromMs: -10 * day, lastsMs: 300 * day },
  { kind: 'BIT_FLIPS', fromMs: -10 * day, lastsMs: 300 * day },
  { kind: 'BIT_FLIPS', fromMs: -10 * day, lastsMs: 300 * day },
  { kind: 'BIT_FLIPS', fromMs: -10 * day, lastsMs: 300 * day },
]

const chanceFor = (seed: number, { code }: Cast) => unitOf(hashText(code), seed, 50)

/** The longer a board has been silent, the longer it stays so. */
function silenceOf(board: Cast, seed: number, nowMs: number): BoardFault[] {
  const { id, silentSinceMs, hasBadData } = board
  if (silentSinceMs === null) return []
  const silentMs = Math.max(5 * minute, nowMs - silentSinceMs)
  const kind = hasBadData ? 'GARBLED' : 'COMMS_LOSS'
  return [{ controlPcbId: id, kind, fromMs: silentSinceMs, toMs: nowMs + silentMs * (0.4 + chanceFor(seed, board)) }]
}

/** The faults that a fleet begins with: a scene each for boards that are well, and the silence of those that were found silent. */
export function openingFaults(cast: readonly Cast[], seed: number, nowMs: number): BoardFault[] {
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
  { kind: 'COMMS_LOSS', lastsMs: 26 * minute },
  { kind: 'GRID_OUTAGE', lastsMs: 9 * minute },
  { kind: 'DOOR_OPEN', lastsMs: 7 * minute },
  { kind: 'COMMS_LOSS', lastsMs: 5 * minute },
  { kind: 'OVER_TEMP', lastsMs: 6 * minute },
  { kind: 'GARBLED', lastsMs: 20 * minute },
]
export const unrestEveryMs = 10 * minute

/** The fault of a ten-minute slot, counted since 1970: one thing at one board. */
export function unrestOf(cast: readonly Cast[], seed: number, turn: number): BoardFault[] {
  const mains = cast.filter(({ role }) => role === 'MAIN')
  const board = mains[Math.floor(unitOf(seed, turn, 51) * mains.length)]
  const scene = unrest[Math.floor(unitOf(seed, turn, 52) * unrest.length)]
  if (!board || !scene) return []
  const fromMs = turn * unrestEveryMs + Math.floor(unitOf(seed, turn, 53) * unrestEveryMs)
  return [{ controlPcbId: board.id, kind: scene.kind, fromMs, toMs: fromMs + scene.lastsMs }]
}
