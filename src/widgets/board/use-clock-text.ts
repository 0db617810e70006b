import { useConsole, useSay } from '#fields/definitions.tsx'
import { formatDay } from '#fields/time/time-format.ts'
import { useNow } from '#fields/time/use-now.ts'
import { dayMs } from '#schema/format/durations.ts'
import { boardWords } from './board-words.ts'

/** The day that a clock shows which is a day off or more: the number of milliseconds says little. */
export function useClockText(offsetMs: unknown): string | undefined {
  const sayLabel = useSay()
  const { language } = useConsole()
  const nowMs = useNow()
  if (typeof offsetMs !== 'number' || Math.abs(offsetMs) < dayMs) return undefined
  const shown = new Date(nowMs + offsetMs).toISOString()
  return sayLabel(boardWords.clockShows, { moment: formatDay(shown.slice(0, 10), language) })
}
