import { useSyncExternalStore } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import { factsOf } from '#resources/fleet/channel-of.ts'
import { measuredText } from '#schema/format/measured-text.ts'
import { lineColors } from '#ui/chart/chart-colors.ts'
import type { CursorStore } from '#ui/chart/cursor-store.ts'
import { classes } from '#ui/theme/classes.ts'
import { useTheme } from '#ui/theme/theme.ts'
import { bandText, channelText } from '#widgets/telemetry/channel-text.ts'
import { telemetryWords } from '#widgets/telemetry/telemetry-words.ts'
import type { Panel } from './panels.ts'
import './panel-legend.css'
import { estimatedAt, indexOf, lastIndex, type SeriesData } from './series-data.ts'

export type PanelLegendProps = { panel: Panel; data: SeriesData; cursor: CursorStore }

/** Lines of a panel with their values at the cursor, else the last ones. */
export function PanelLegend({ panel, data, cursor }: PanelLegendProps) {
  const sayLabel = useSay()
  const { theme } = useTheme()
  const atMs = useSyncExternalStore(cursor.subscribe, () => cursor.at)
  const index = atMs === undefined ? lastIndex(data) : indexOf(data, atMs)
  return (
    <ul className="tele-legend">
      {panel.lines.map(({ channel, color, dash }) => (
        <li key={channel}>
          {panel.kind !== 'lane' && (
            <span
              className={classes('tele-key', dash && 'tele-key-dash')}
              style={{ color: lineColors[theme][color] }}
              aria-hidden="true"
            />
          )}
          <span className="tele-name">{sayLabel(factsOf(channel).label)}</span>
          <LegendValue data={data} channel={channel} index={index} />
        </li>
      ))}
    </ul>
  )
}

type LegendValueProps = { data: SeriesData; channel: Panel['lines'][number]['channel']; index: number | undefined }

function LegendValue({ data, channel, index }: LegendValueProps) {
  const sayLabel = useSay()
  const language = useLanguage()
  const series = data.channels[channel]
  const value = index === undefined ? null : (series?.avg[index] ?? null)
  if (index === undefined || value === null) return <span className="tele-none">{sayLabel(telemetryWords.noValue)}</span>
  const [low, high] = [series?.min[index] ?? null, series?.max[index] ?? null]
  const estimatedPct = estimatedAt(data, channel, index)
  const hasBand = low !== null && high !== null && low !== high
  return (
    <>
      <strong>{channelText(channel, value, language)}</strong>
      {hasBand && <small>{bandText(channel, low, high, language)}</small>}
      {estimatedPct > 0 && (
        <small>{sayLabel(telemetryWords.estimated, { pct: measuredText(estimatedPct, '%', language) })}</small>
      )}
    </>
  )
}
