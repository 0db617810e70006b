import { memo, useCallback, useMemo } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import { factsOf } from '#resources/fleet/channel-of.ts'
import { intlOf, say } from '#schema/words.ts'
import type { ChartSpan, TimeWindow } from '#ui/chart/chart-types.ts'
import type { CursorStore } from '#ui/chart/cursor-store.ts'
import { TimeChart } from '#ui/chart/time-chart.tsx'
import { channelText } from '#widgets/telemetry/channel-text.ts'
import { momentText } from '#widgets/telemetry/moment-text.ts'
import { telemetryWords } from '#widgets/telemetry/telemetry-words.ts'
import { inUnit, lanesOfPanel, seriesOfPanel, unitOfPanel } from './panel-data.ts'
import { PanelLegend } from './panel-legend.tsx'
import type { Panel } from './panels.ts'
import type { SeriesData } from './series-data.ts'

export type PanelChartProps = {
  panel: Panel
  data: SeriesData
  window: TimeWindow
  zone: string | undefined
  spans: readonly ChartSpan[]
  cursor: CursorStore
  onSelect: (window: TimeWindow) => void
  onReset: () => void
  onPick: (atMs: number) => void
}

const heights = { usual: 160, tall: 230, lane: 44, axis: 46 }

const heightOf = ({ kind, isTall, lines }: Panel) =>
  kind === 'lane' ? lines.length * heights.lane + heights.axis : isTall ? heights.tall : heights.usual

/** One panel: title and unit, legend with values, and the chart. */
export const PanelChart = memo(function PanelChart({ panel, data, zone, ...rest }: PanelChartProps) {
  const sayLabel = useSay()
  const language = useLanguage()
  const { series, symbol } = useMemo(() => {
    const measured = seriesOfPanel(panel, data)
    const unit = unitOfPanel(panel, measured)
    return { series: inUnit(measured, unit.divide), symbol: unit.symbol }
  }, [panel, data])
  const lanes = useMemo(() => lanesOfPanel(panel, data, language), [panel, data, language])
  const textAt = useCallback(
    (index: number) => {
      const values = panel.lines.map(({ channel }) => {
        const value = data.channels[channel]?.avg[index] ?? null
        const text = channelText(channel, value, language) || say(telemetryWords.noValue, language)
        return `${say(factsOf(channel).label, language)}: ${text}`
      })
      return [momentText(data.times[index] ?? 0, data.stepMs, language, zone), ...values].join('; ')
    },
    [panel, data, language, zone],
  )
  const title = sayLabel(panel.label)
  return (
    <section className="tele-panel" aria-label={title}>
      <header>
        <h2>
          {title}
          {symbol && <span className="tele-unit">{sayLabel(symbol)}</span>}
        </h2>
        {panel.note && <p className="tele-note">{sayLabel(panel.note)}</p>}
        <PanelLegend panel={panel} data={data} cursor={rest.cursor} />
      </header>
      <TimeChart
        {...rest}
        {...{ textAt, series, lanes, zone }}
        label={sayLabel(telemetryWords.plot, { panel: title })}
        times={data.times}
        stepMs={data.stepMs}
        kind={panel.kind === 'bar' ? 'bar' : 'line'}
        range={panel.range}
        hasZero={panel.hasZero}
        locale={intlOf(language)}
        heightPx={heightOf(panel)}
      />
    </section>
  )
})
