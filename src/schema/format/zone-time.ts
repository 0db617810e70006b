import { dayMs } from './durations.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function partsFormat(zone: string | undefined): Intl.DateTimeFormat {
  const known = formats.get(zone ?? '')
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    ...(zone ? { timeZone: zone } : {}),
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(zone ?? '', made)
  return made
}

/** Local time in a zone (absent = the browser's): `2026-03-31T14:05:00`. */
function clock(timeMs: number, zone: string | undefined): string {
  const part = Object.fromEntries(
    partsFormat(zone)
      .formatToParts(timeMs)
      .map(({ type, value }) => [type, value]),
  )
  return `${part.year?.padStart(4, '0')}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}`
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** An instant as local time `2026-03-31T14:05` in a zone; empty for anything else. */
export function localFromIso(iso: string, zone?: string): string {
  if (!instant.test(iso)) return ''
  const timeMs = Date.parse(iso)
  return Number.isNaN(timeMs) ? '' : clock(timeMs, zone).slice(0, 16)
}

const localTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?)?$/

/** The instant of a local time `2026-03-31T14:05`, or of the start of a day, in a zone; undefined when invalid. */
export function isoFromLocal(local: string, zone?: string): string | undefined {
  if (!localTime.test(local)) return undefined
  const wanted = Date.parse(`${local.length === 10 ? `${local}T00:00` : local}Z`)
  if (Number.isNaN(wanted)) return undefined
  const toward = (timeMs: number) => timeMs + wanted - Date.parse(`${clock(timeMs, zone)}Z`)
  // Two rounds: the first guess may be on the other side of a daylight saving change.
  const timeMs = toward(toward(wanted))
  // Where the change leaves midnight out, guesses before and after it take turns; the day begins at the later one.
  return new Date(local.length === 10 ? Math.max(timeMs, toward(timeMs)) : timeMs).toISOString()
}

/** The last millisecond of a day in a zone. */
export function endOfDay(day: string, zone?: string): string | undefined {
  const startMs = Date.parse(`${day}T00:00Z`)
  if (Number.isNaN(startMs)) return undefined
  const next = isoFromLocal(new Date(startMs + dayMs).toISOString().slice(0, 10), zone)
  return next && new Date(Date.parse(next) - 1).toISOString()
}
