import { createRequire } from 'node:module'
import type { Diagnostics } from 'recheck'

/** Steps of matching that one value may take: about a tenth of a second. */
const mostSteps = 20_000_000
/** Time for one pattern on a busy machine. Most take some milliseconds, and those with counts above 30 a second. */
const mostTime = 30_000
/** The parts of an analysis end by steps and never by time, so that every machine finds the same. */
const bySteps = { incubationTimeout: null, attackTimeout: null, attackLimit: mostSteps, maxIteration: 5 }

const one = String.raw`(?:\\[pP]\{[^}]+\}|\\[^\dkpP]|\[(?:[^\]\\]|\\.)+\]|[^\\()[\]{}|*+?^$])`
const fixed = String.raw`(?:${one}(?:\{\d+\})?)*`
const run = String.raw`${fixed}(?:${one}(?:\{\d+,\d*\}|[*+?])${fixed})?`
/** Single characters with one repetition at most: every text is read in one way. */
const plain = new RegExp(String.raw`^\^(?:${run}|\(\?:${run}\))\$?$`, 'u')

const analysed = new Map<string, Diagnostics>()
const unjudged = new Set<string>()

/** The patterns that the machine had no time to judge: no fault of theirs, so that they refuse no build. */
export const unjudgedPatterns = (): string[] => [...unjudged]

/** Loaded for a pattern that is not plain. The build in JavaScript: it needs no Java and no program of the platform. */
function analyse(source: string, timeout: number): Diagnostics {
  const known = analysed.get(source)
  if (known) return known
  process.env.RECHECK_SYNC_BACKEND ??= 'pure'
  const { checkSync }: typeof import('recheck') = createRequire(import.meta.url)('recheck')
  const found = checkSync(source, 'u', { ...bySteps, timeout })
  analysed.set(source, found)
  return found
}

/**
 * The fault of a regular expression over texts of at most `longest` characters, on which matching would keep the process busy:
 * exponential ones over any length, polynomial ones over a length that makes too many steps.
 */
export function slowPattern(source: string, longest: number, timeout = mostTime): string | undefined {
  if (plain.test(source)) return undefined
  const found = analyse(source, timeout)
  if (found.status === 'safe') return undefined
  if (found.status === 'unknown' && found.error.kind === 'timeout') {
    unjudged.add(source)
    return undefined
  }
  if (found.status === 'unknown') return 'it is too involved to be judged; write it with fewer repetitions'
  const [starts, ends] = [found.hotspot.map(({ start }) => start), found.hotspot.map(({ end }) => end)]
  const part = source.slice(Math.min(...starts), Math.max(...ends))
  const ways = `"${part}" reads the same characters in several ways, so that the text ${found.attack.pattern} is tried`
  if (found.complexity.type === 'exponential') return `${ways} for ever; let each character be read in one way only`
  // Trials find a degree only where it takes all the steps, which is one too low where it takes a part of them.
  const degree = found.complexity.degree + (found.complexity.isFuzz ? 1 : 0)
  const most = Math.floor(mostSteps ** (1 / degree))
  return longest <= most
    ? undefined
    : `${ways} for too long; let each character be read in one way only, or say maxLength: ${most} or less`
}
