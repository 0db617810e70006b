import { useLanguage, useSay } from '#fields/definitions.tsx'
import { presentMs } from '#schema/format/present-time.ts'
import type { TimeWindow } from '#ui/chart/chart-types.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Button } from '#ui/input/button.tsx'
import { soundWindow } from '#widgets/telemetry/chart-state.ts'
import { momentText } from '#widgets/telemetry/moment-text.ts'
import { telemetryWords } from '#widgets/telemetry/telemetry-words.ts'
import type { ChartControl } from '#widgets/telemetry/use-chart-state.ts'

export type NoTelemetryProps = {
  control: ChartControl
  window: TimeWindow
  zone: string | undefined
  lastSampleAt: unknown
}

/** Shown for a span without data, with a link to the last data. */
export function NoTelemetry({ control, window, zone, lastSampleAt }: NoTelemetryProps) {
  const sayLabel = useSay()
  const language = useLanguage()
  const lastMs = typeof lastSampleAt === 'string' ? Date.parse(lastSampleAt) : Number.NaN
  const text = (atMs: number) => momentText(atMs, 0, language, zone)
  const halfMs = (window.toMs - window.fromMs) / 2
  const isElsewhere = lastMs < window.fromMs || lastMs > window.toMs
  return (
    <EmptyState
      icon="chart"
      title={sayLabel(telemetryWords.emptyTitle)}
      text={
        lastSampleAt === null
          ? sayLabel(telemetryWords.never)
          : sayLabel(telemetryWords.emptyText, { from: text(window.fromMs), to: text(window.toMs) })
      }
      action={
        isElsewhere && (
          <Button
            icon="clock"
            onClick={() =>
              control.change({ window: soundWindow({ fromMs: lastMs - halfMs, toMs: lastMs + halfMs / 4 }, presentMs()) })
            }
          >
            {sayLabel(telemetryWords.toLast)} · {text(lastMs)}
          </Button>
        )
      }
    />
  )
}
