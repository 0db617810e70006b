import { useLanguage, useSay } from '#fields/definitions.tsx'
import { formatMoment } from '#fields/time/time-format.ts'
import type { TimeWindow } from '#ui/chart/chart-types.ts'
import { StatusDot } from '#ui/feedback/status-dot.tsx'
import { Button } from '#ui/input/button.tsx'
import { NativeSelect } from '#ui/input/native-select.tsx'
import { ChannelPicker } from './channel-picker.tsx'
import { type ZoneName, zones } from './chart-state.ts'
import { ExportMenu } from './export-menu.tsx'
import './popovers.css'
import type { SeriesData } from './panel/series-data.ts'
import { RangeBar } from './range-bar.tsx'
import { telemetryWords } from './telemetry-words.ts'
import type { ChartControl } from './use-chart-state.ts'
import type { Subject } from './use-series.ts'

export type TelemetryBarProps = {
  control: ChartControl
  subject: Subject
  window: TimeWindow
  zone: string | undefined
  /** The zone of the site, once it is known. */
  site: string | undefined
  data: SeriesData | undefined
  isLate: boolean
}

const isZone = (text: string): text is ZoneName => zones.some((zone) => zone === text)

/** Controls of the charts, and the age of the data. */
export function TelemetryBar({ control, subject, window, zone, site, data, isLate }: TelemetryBarProps) {
  const sayLabel = useSay()
  const { state, channels, change, choose } = control
  const options = zones.map((name) => ({
    value: name,
    label: name === 'site' && site ? `${sayLabel(telemetryWords.site)} (${site})` : sayLabel(telemetryWords[name]),
  }))
  return (
    <div className="tele-bar">
      <RangeBar control={control} window={window} zone={zone} />
      <div className="tele-tools">
        {data && !state.window && <Freshness {...{ data, zone, isLate }} />}
        <NativeSelect
          size="small"
          aria-label={sayLabel(telemetryWords.zone)}
          value={state.zone}
          options={options}
          onChange={(next) => isZone(next) && change({ zone: next }, { replace: true })}
        />
        <ChannelPicker channels={channels} onChange={choose} />
        <Button
          size="small"
          icon="columns"
          aria-pressed={state.hasTable}
          onClick={() => change({ hasTable: !state.hasTable }, { replace: true })}
        >
          {sayLabel(telemetryWords.table)}
        </Button>
        <ExportMenu subject={subject} window={window} channels={channels} />
      </div>
    </div>
  )
}

type FreshnessProps = { data: SeriesData; zone: string | undefined; isLate: boolean }

/** Time of the last fetch. */
function Freshness({ data, zone, isLate }: FreshnessProps) {
  const sayLabel = useSay()
  const language = useLanguage()
  const time = formatMoment(new Date(data.toMs).toISOString(), language, zone, 'medium').split(', ').at(-1) ?? ''
  return (
    <span className="tele-fresh">
      <StatusDot tone={isLate ? 'warn' : 'good'} active={!isLate} title={isLate ? sayLabel(telemetryWords.late) : undefined}>
        {isLate ? sayLabel(telemetryWords.late) : sayLabel(telemetryWords.asOf, { time })}
      </StatusDot>
    </span>
  )
}
