import { useMemo } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { presentMs } from '#schema/format/present-time.ts'
import { valueAt } from '#schema/rule.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { LoadFailed } from '#views/screens.tsx'
import { recordKey } from '#views/shared/record-cache.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { type ChartState, ranges } from './chart-state.ts'
import { NoTelemetry } from './panel/no-telemetry.tsx'
import { PanelStack } from './panel/panel-stack.tsx'
import { PanelsComing } from './panel/panels-coming.tsx'
import { hasData } from './panel/series-data.ts'
import { TelemetryBar } from './telemetry-bar.tsx'
import './telemetry.css'
import { telemetryWords } from './telemetry-words.ts'
import { useChartState } from './use-chart-state.ts'
import { useSeries } from './use-series.ts'

/** Query parameter of a subject: `control-pcb` becomes `controlPcbId`. */
const keyOf = (name: string) => `${name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`

const zoneOf = ({ zone }: ChartState, site: string | undefined, own: string | undefined) =>
  ({ site: site ?? 'UTC', own, utc: 'UTC' })[zone]

/** Telemetry of a board or of a site's main board: charts over one time axis, and a table. */
export function TelemetryChart({ resource, record }: WidgetProps) {
  const sayLabel = useSay()
  const own = useConsole().zone
  const control = useChartState()
  const { state, channels } = control
  const subject = useMemo(() => ({ [keyOf(resource.name)]: String(record.id) }), [resource.name, record.id])
  const ofBoard = valueAt(record, 'connection.lastSampleAt')
  const lastSampleAt = ofBoard === undefined ? valueAt(record, 'lastSignalAt') : ofBoard
  const query = useSeries({ subject, state, channels, recordKey: recordKey(resource.name, String(record.id)) })
  const { data, error, isLate } = query
  const zone = zoneOf(state, data?.zone, own)
  const window = useMemo(() => {
    if (state.window) return state.window
    const toMs = data && !query.isPlaceholderData ? data.toMs : presentMs()
    return { fromMs: toMs - ranges[state.range].ms, toMs }
  }, [state.window, state.range, data, query.isPlaceholderData])
  if (error && !data) return <LoadFailed asPage={false} error={error} onRetry={() => void query.refetch()} />
  const isEmpty = data !== undefined && !query.isPlaceholderData && !hasData(data)
  return (
    <div className="tele ui-card" aria-busy={query.isFetching && (!data || query.isPlaceholderData)}>
      <TelemetryBar {...{ control, subject, window, zone, data, isLate }} site={data?.zone} />
      {error && data && <Banner tone="warn">{sayLabel(telemetryWords.failed)}</Banner>}
      {channels.length === 0 && (
        <EmptyState icon="chart" title={sayLabel(telemetryWords.noPanels)} text={sayLabel(telemetryWords.noPanelsText)} />
      )}
      {!data && <PanelsComing />}
      {isEmpty && channels.length > 0 && <NoTelemetry {...{ control, window, zone, lastSampleAt }} />}
      {data && !isEmpty && <PanelStack {...{ control, subject, data, window, zone }} isOld={query.isPlaceholderData} />}
    </div>
  )
}
