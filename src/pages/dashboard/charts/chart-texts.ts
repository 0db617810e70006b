import { useMemo } from 'react'
import { useConsole } from '#fields/definitions.tsx'
import { hourMs } from '#schema/format/durations.ts'
import { formatNumber } from '#schema/format/format.ts'
import { isPercentTight } from '#schema/format/measured-text.ts'
import { intlOf, type Language } from '#schema/words.ts'

/** A percentage in the locale's format. */
export const percentText = (share: number, digits: number, language: Language): string =>
  `${formatNumber(share * 100, digits, language)}${isPercentTight(language) ? '%' : ' %'}`

/** Formats of days, hours and counts in the charts. */
export function useChartTexts() {
  const { language, zone } = useConsole()
  return useMemo(() => {
    const locale = intlOf(language)
    const inZone = zone ? { timeZone: zone } : {}
    const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...inZone })
    const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', ...inZone })
    const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...inZone })
    const dayOnly = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
    return {
      language,
      zone,
      count: (value: number) => formatNumber(value, 0, language),
      percent: (share: number, digits = 1) => percentText(share, digits, language),
      clock: (atMs: number) => clock.format(atMs),
      /** The first hour of a day is labelled by its day. */
      weekday: (atMs: number) => weekday.format(atMs),
      isMidnight: (atMs: number) => /^0?0:/.test(clock.format(atMs)),
      hour: (atMs: number) => `${date.format(atMs)}, ${clock.format(atMs)}–${clock.format(atMs + hourMs)}`,
      /** A calendar day, as `2026-03-31`. */
      day: (day: string) => dayOnly.format(new Date(`${day}T00:00:00Z`)),
    }
  }, [language, zone])
}
