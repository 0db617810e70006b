import { dayMs, minuteMs } from '#schema/format/durations.ts'
import { isoFromLocal, localFromIso } from '#schema/format/zone-time.ts'

/** Part of a week: start days 1 (Monday) to 7 and times of day; a window may pass midnight. */
export type WeekWindow = { days: readonly string[]; from: string; to: string }

/** A window out of a record; undefined where there is none that could ever open. */
export function readWindow(value: unknown): WeekWindow | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { days, from, to } = value as Readonly<Record<string, unknown>>
  if (!Array.isArray(days) || days.length === 0 || typeof from !== 'string' || typeof to !== 'string' || from === to)
    return undefined
  return { days: days.map(String), from, to }
}

const weekday = (day: string, ahead = 0) => String(((new Date(Date.parse(day) + ahead * dayMs).getUTCDay() + 6) % 7) + 1)

/** True while the window is open by the zone's clock: a skipped hour never comes, a repeated one counts twice. */
export function isOpen({ days, from, to }: WeekWindow, at: Date, zone: string): boolean {
  const [day = '', time = ''] = localFromIso(at.toISOString(), zone).split('T')
  if (from <= to) return days.includes(weekday(day)) && time >= from && time < to
  return (days.includes(weekday(day)) && time >= from) || (days.includes(weekday(day, -1)) && time < to)
}

/** Clocks are put forward or back by so much at most. */
const longestShiftMs = 2 * 60 * minuteMs
/** A window may lie in the hour that is skipped, so that it does not open in its first week. */
const furthestDays = 15

/** The first moment from `at` on at which the window is open; undefined when it never is. */
export function nextOpening(window: WeekWindow, at: Date, zone: string): Date | undefined {
  if (isOpen(window, at, zone)) return at
  const [today = ''] = localFromIso(at.toISOString(), zone).split('T')
  const soonestMs = Math.ceil(at.getTime() / minuteMs) * minuteMs
  for (let ahead = 0; ahead <= furthestDays; ahead += 1) {
    if (!window.days.includes(weekday(today, ahead))) continue
    const day = new Date(Date.parse(today) + ahead * dayMs).toISOString().slice(0, 10)
    const usualMs = Date.parse(isoFromLocal(`${day}T${window.from}`, zone) ?? '')
    // Around a change of the clock the beginning comes twice, or later than it is written.
    const fromMs = Math.max(soonestMs, usualMs - longestShiftMs)
    for (let timeMs = fromMs; timeMs <= usualMs + longestShiftMs; timeMs += minuteMs)
      if (isOpen(window, new Date(timeMs), zone)) return new Date(timeMs)
  }
  return undefined
}
