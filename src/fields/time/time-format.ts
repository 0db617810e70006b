import { intlOf, type Language } from '#schema/words.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
function dateFormat(language: Language, zone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = [language, zone, options.timeStyle, options.timeZoneName].join()
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(intlOf(language), { ...options, ...(zone ? { timeZone: zone } : {}) })
  formats.set(key, made)
  return made
}

const parse = (value: string): Date | undefined => {
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** The zone if this browser knows it: an unknown zone must not break every date on screen. */
export function knownZone(zone: string | null): string | undefined {
  if (!zone) return undefined
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** A calendar day, the same in every zone: 31 Mar 2026. */
export function formatDay(value: string, language: Language): string {
  const date = parse(`${value.slice(0, 10)}T00:00:00Z`)
  return date ? dateFormat(language, 'UTC', { dateStyle: 'medium' }).format(date) : value
}

/** A date-time in a zone (default: the browser's): 31 Mar 2026, 14:05, optionally with seconds. */
export function formatMoment(
  value: string,
  language: Language,
  zone?: string,
  timeStyle: 'short' | 'medium' = 'short',
): string {
  const date = parse(value)
  return date ? dateFormat(language, zone, { dateStyle: 'medium', timeStyle }).format(date) : value
}

/** The full date-time in UTC, to the millisecond. */
export function formatUtc(value: string): string {
  const date = parse(value)
  return date ? `${date.toISOString().replace('T', ' ').replace('Z', '')} UTC` : value
}

const spans: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

const relatives = new Map<Language, Intl.RelativeTimeFormat>()
function relativeFormat(language: Language): Intl.RelativeTimeFormat {
  const made = relatives.get(language) ?? new Intl.RelativeTimeFormat(intlOf(language), { numeric: 'always', style: 'short' })
  relatives.set(language, made)
  return made
}

/** Relative time: 5 min ago. */
export function formatRelative(value: string, language: Language, nowMs: number): string {
  const date = parse(value)
  if (!date) return value
  const seconds = Math.round((date.getTime() - nowMs) / 1000)
  const [unit, size] = spans.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  const count = Math.trunc(seconds / size)
  // -0 formats as "0 seconds ago", 0 as "in 0 seconds".
  return relativeFormat(language).format(count === 0 ? -0 : count, unit)
}
