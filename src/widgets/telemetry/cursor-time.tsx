import { useSyncExternalStore } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import { formatDuration } from '#schema/format/format.ts'
import type { CursorStore } from '#ui/chart/cursor-store.ts'
import { momentText } from './moment-text.ts'
import { indexOf, lastIndex, type SeriesData } from './panel/series-data.ts'
import { telemetryWords } from './telemetry-words.ts'

export type CursorTimeProps = { data: SeriesData; zone: string | undefined; cursor: CursorStore }

/** Time of the values shown above the charts; stays visible while these scroll. */
export function CursorTime({ data, zone, cursor }: CursorTimeProps) {
  const sayLabel = useSay()
  const language = useLanguage()
  const atMs = useSyncExternalStore(cursor.subscribe, () => cursor.at)
  const index = atMs === undefined ? lastIndex(data) : indexOf(data, atMs)
  const shownMs = index === undefined ? atMs : data.times[index]
  const step = formatDuration(data.stepMs / 1000, language)
  return (
    <p className="tele-cursor">
      {shownMs !== undefined && (
        <time dateTime={new Date(shownMs).toISOString()}>{momentText(shownMs, data.stepMs, language, zone)}</time>
      )}
      <span>{sayLabel(telemetryWords.step, { step })}</span>
      <span className="tele-help">{sayLabel(telemetryWords.help)}</span>
    </p>
  )
}
