import { useCallback, useEffect, useMemo, useState } from 'react'
import { presentMs } from '#schema/format/present-time.ts'
import type { ChartSpan, TimeWindow } from '#ui/chart/chart-types.ts'
import { CursorStore } from '#ui/chart/cursor-store.ts'
import { classes } from '#ui/theme/classes.ts'
import { soundWindow } from '#widgets/telemetry/chart-state.ts'
import { CursorTime } from '#widgets/telemetry/cursor-time.tsx'
import { TelemetryTable } from '#widgets/telemetry/telemetry-table.tsx'
import type { ChartControl } from '#widgets/telemetry/use-chart-state.ts'
import type { Subject } from '#widgets/telemetry/use-series.ts'
import { useWarnings } from '#widgets/telemetry/use-warnings.ts'
import { PanelChart } from './panel-chart.tsx'
import { panelsOf } from './panels.ts'
import { PanelsComing } from './panels-coming.tsx'
import type { SeriesData } from './series-data.ts'
import { WarningPanel } from './warning-panel.tsx'

export type PanelStackProps = {
  control: ChartControl
  subject: Subject
  data: SeriesData
  window: TimeWindow
  zone: string | undefined
  /** The data belongs to the previous range; the new data is loading. */
  isOld: boolean
}

/** Severities drawn as background spans. */
const shaded = new Set(['CRITICAL', 'WARNING'])

/** Panels over one time axis with a shared cursor, beside the table. */
export function PanelStack({ control, subject, data, window, zone, isOld }: PanelStackProps) {
  const { state, channels, change } = control
  const [cursor] = useState(() => new CursorStore())
  useEffect(() => cursor.pin(state.atMs), [cursor, state.atMs])
  const warnings = useWarnings(subject, { ...window, isLive: state.window === undefined })
  const spans = useMemo(
    () =>
      (warnings ?? [])
        .filter(({ severity }) => shaded.has(severity))
        .map(({ fromMs, toMs, tone }): ChartSpan => ({ fromMs, toMs: toMs ?? window.toMs, color: tone })),
    [warnings, window.toMs],
  )
  const shown = useMemo(() => panelsOf(channels), [channels])
  const onSelect = useCallback((next: TimeWindow) => change({ window: soundWindow(next, presentMs()) }), [change])
  const onReset = useCallback(() => change({ window: undefined, atMs: undefined }), [change])
  const onPick = useCallback(
    (atMs: number) => change({ atMs: atMs === state.atMs ? undefined : atMs }, { replace: true }),
    [change, state.atMs],
  )
  // Their panel stands above the others, which it would push down when it came later.
  if (!warnings) return <PanelsComing />
  const chart = { data, window, zone, cursor, onSelect, onReset, onPick }
  return (
    <div className={classes('tele-body', state.hasTable && 'tele-with-table', isOld && 'tele-old')}>
      <div className="tele-panels">
        <CursorTime {...{ data, zone, cursor }} />
        <WarningPanel {...chart} warnings={warnings} />
        {shown.map((panel) => (
          <PanelChart key={panel.key} {...chart} panel={panel} spans={spans} />
        ))}
      </div>
      {state.hasTable && <TelemetryTable {...{ data, channels, zone, cursor }} />}
    </div>
  )
}
