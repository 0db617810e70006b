import { formatDay, formatMoment } from '#fields/time/time-format.ts'
import { dayMs } from '#schema/format/durations.ts'
import { localFromIso } from '#schema/format/zone-time.ts'
import type { Language } from '#schema/words.ts'

/** Start of a step in a zone: a day for steps of that length, else to the minute. */
export function momentText(atMs: number, stepMs: number, language: Language, zone: string | undefined): string {
  const iso = new Date(atMs).toISOString()
  return stepMs < dayMs ? formatMoment(iso, language, zone) : formatDay(localFromIso(iso, zone), language)
}
