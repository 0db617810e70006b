import { localFromIso } from '#schema/format/zone-time.ts'

const hourMs = 3_600_000

/** A window of every day that is open from so many hours after a moment to so many, by the clock of a zone; less than none is before. */
export function clockWindow(at: Date, zone: string, fromH: number, toH: number) {
  const time = (hours: number) => localFromIso(new Date(at.getTime() + hours * hourMs).toISOString(), zone).slice(11)
  return { days: ['1', '2', '3', '4', '5', '6', '7'], from: time(fromH), to: time(toH) }
}
