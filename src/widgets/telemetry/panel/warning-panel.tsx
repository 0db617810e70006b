import { useMemo } from 'react'
import { useDefinitions, useLanguage, useSay } from '#fields/definitions.tsx'
import { choiceLabel } from '#schema/facts/choices.ts'
import { intlOf } from '#schema/words.ts'
import type { ChartLane, TimeWindow } from '#ui/chart/chart-types.ts'
import type { CursorStore } from '#ui/chart/cursor-store.ts'
import { TimeChart } from '#ui/chart/time-chart.tsx'
import { StatusDot } from '#ui/feedback/status-dot.tsx'
import { Link } from '#ui/layout/link.tsx'
import { momentText } from '#widgets/telemetry/moment-text.ts'
import { telemetryWords } from '#widgets/telemetry/telemetry-words.ts'
import type { WarningMark } from '#widgets/telemetry/use-warnings.ts'
import type { SeriesData } from './series-data.ts'

export type WarningPanelProps = {
  warnings: readonly WarningMark[]
  data: SeriesData
  window: TimeWindow
  zone: string | undefined
  cursor: CursorStore
  onSelect: (window: TimeWindow) => void
  onReset: () => void
  onPick: (atMs: number) => void
}

const lanePx = 44
const axisPx = 46
const mostLinks = 6
/** Most severe first. */
const severities = ['CRITICAL', 'WARNING', 'INFO']

function useLanes(warnings: readonly WarningMark[], { toMs }: TimeWindow): ChartLane[] {
  const sayLabel = useSay()
  const field = useDefinitions().get('telemetry-warning')?.fields.severity
  return useMemo(
    () =>
      severities.flatMap((severity) => {
        const own = warnings.filter((warning) => warning.severity === severity)
        if (own.length === 0) return []
        const label = field?.type === 'status' ? sayLabel(choiceLabel(field, severity)) : severity
        const spans = own.map(({ fromMs, toMs: endMs, tone, text }) => ({ fromMs, toMs: endMs ?? toMs, color: tone, text }))
        return [{ key: severity, label, spans }]
      }),
    [warnings, toMs, field, sayLabel],
  )
}

/** Warnings of the displayed span, as bars over the same time axis with links. */
export function WarningPanel({ warnings, data, window, zone, ...rest }: WarningPanelProps) {
  const sayLabel = useSay()
  const language = useLanguage()
  const lanes = useLanes(warnings, window)
  if (warnings.length === 0) return null
  const title = sayLabel(telemetryWords.warnings)
  const text = (atMs: number) => momentText(atMs, 0, language, zone)
  const lastsAt = (atMs: number) => warnings.filter((each) => each.fromMs < atMs + data.stepMs && (each.toMs ?? atMs) >= atMs)
  return (
    <section className="tele-panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      <TimeChart
        {...rest}
        {...{ window, zone, lanes }}
        textAt={(index) => {
          const atMs = data.times[index] ?? 0
          return [text(atMs), ...lastsAt(atMs).map((each) => each.text)].join('; ')
        }}
        series={noSeries}
        label={sayLabel(telemetryWords.plot, { panel: title })}
        times={data.times}
        stepMs={data.stepMs}
        kind="line"
        locale={intlOf(language)}
        heightPx={lanes.length * lanePx + axisPx}
      />
      <ul className="tele-links">
        {warnings.slice(0, mostLinks).map(({ id, href, text: said, tone, fromMs, toMs }) => (
          <li key={id}>
            <StatusDot tone={tone}>
              <Link href={href}>{said}</Link>
            </StatusDot>
            <small>
              {toMs === undefined
                ? sayLabel(telemetryWords.stillOn, { from: text(fromMs) })
                : sayLabel(telemetryWords.until, { from: text(fromMs), to: text(toMs) })}
            </small>
          </li>
        ))}
        {warnings.length > mostLinks && (
          <li>{sayLabel(telemetryWords.moreWarnings, { count: warnings.length - mostLinks })}</li>
        )}
      </ul>
    </section>
  )
}

const noSeries: readonly never[] = []
