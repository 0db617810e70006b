import { formatDay, formatMoment } from '#fields/time/time-format.ts'
import { dayMs } from '#schema/format/durations.ts'
import { localFromIso } from '#schema/format/zone-time.ts'
import type { Language } from '#schema/words.ts'

/** A step's time by the clock of a zone: a day where a step is as long as that, else to the minute. */
export function momentText(atMs: number, stepMs: number, language: Language, zone: string | undefined): string {
  const iso = new Date(atMs).toISOString()
  return stepMs < dayMs ? formatMoment(iso, language, zone) : formatDay(localFromIso(iso, zone), language)
}
