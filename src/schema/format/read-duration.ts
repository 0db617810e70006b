/** Letters that begin the units of time in both languages, in seconds; `м` alone is a minute, as `m` is. */
const units: readonly (readonly [unit: RegExp, seconds: number])[] = [
  [/^(?:y|г|л)/, 31_536_000],
  [/^(?:w|н)/, 604_800],
  [/^(?:d|д)/, 86_400],
  [/^(?:h|ч)/, 3_600],
  [/^(?:m|м)/, 60],
  [/^(?:s|с)/, 1],
]
const clock = /^(\d+):([0-5]\d)(?::([0-5]\d))?$/
const part = /(\d+(?:[.,]\d+)?)\s*(\p{L}+)?\.?\s*/uy

const secondsOf = (unit: string | undefined): number | undefined =>
  unit === undefined ? 1 : units.find(([start]) => start.test(unit.toLowerCase()))?.[1]

/**
 * Seconds of a duration as people type it: `5400`, `90 min`, `1 h 30 min`, `1.5 ч`, `1:30` (hours and minutes). Undefined for
 * anything else, also for a part of a second.
 */
export function readDuration(text: string): number | undefined {
  const typed = text.trim()
  const ofClock = clock.exec(typed)
  if (ofClock) return Number(ofClock[1]) * 3_600 + Number(ofClock[2]) * 60 + Number(ofClock[3] ?? 0)
  let sum = 0
  let parts = 0
  part.lastIndex = 0
  while (part.lastIndex < typed.length) {
    const [, number = '', unit] = part.exec(typed) ?? []
    const seconds = secondsOf(unit)
    // A number without a unit is seconds only where it stands alone.
    if (number === '' || seconds === undefined || (unit === undefined && (parts > 0 || part.lastIndex < typed.length)))
      return undefined
    sum += Number(number.replace(',', '.')) * seconds
    parts += 1
  }
  const whole = Math.round(sum)
  return parts > 0 && Math.abs(sum - whole) < 1e-6 && Number.isSafeInteger(whole) ? whole : undefined
}
