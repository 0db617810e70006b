import { useSay } from '#fields/definitions.tsx'
import { hourMs } from '#schema/format/durations.ts'
import type { SummaryCharts } from '#schema/wire/summary.ts'
import { ColumnChart } from '#ui/chart/column-chart.tsx'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import type { Tone } from '#ui/theme/tokens.ts'
import { ChartCard } from './chart-card.tsx'
import { useChartTexts } from './chart-texts.ts'
import { chartWords } from './chart-words.ts'

type Hour = SummaryCharts['reporting'][number]

/** An hour with less than this share of the systems is bad; one that is so much below the week's mean stands out. */
const limits = { bad: 0.8, belowMean: 0.03 }
/** The scale begins at a tenth below the lowest hour: all that differs is near its upper end. */
const floorOf = (lowest: number) => Math.max(0, Math.floor(lowest * 10 - 0.5) / 10)

const shareOf = ({ heard, of }: Hour) => (of > 0 ? heard / of : 0)

const toneOf = (share: number, mean: number): Tone =>
  share < limits.bad ? 'bad' : share < mean - limits.belowMean ? 'warn' : 'good'

/** Share of systems in service with valid data, by hour of a week. */
export function ReportingChart({ hours }: { hours: SummaryCharts['reporting'] }) {
  const sayLabel = useSay()
  const texts = useChartTexts()
  const of = hours.at(-1)?.of ?? 0
  const inOperation = hours.filter((hour) => hour.of > 0)
  const mean = inOperation.reduce((sum, hour) => sum + shareOf(hour), 0) / Math.max(1, inOperation.length)
  const floor = floorOf(Math.min(1, ...inOperation.map(shareOf)))
  const textOf = (index: number) => {
    const hour = hours[index]
    if (!hour) return ''
    const counts = { heard: texts.count(hour.heard), of: texts.count(hour.of), pct: texts.percent(shareOf(hour)) }
    return sayLabel(chartWords.reportingAt, { hour: texts.hour(hour.at), ...counts })
  }
  const columns: GridColumn<Hour>[] = [
    { key: 'hour', header: sayLabel(chartWords.hour), cell: ({ at }) => texts.hour(at) },
    { key: 'heard', header: sayLabel(chartWords.heard), cell: ({ heard }) => texts.count(heard), align: 'end' },
    { key: 'of', header: sayLabel(chartWords.systems), cell: (hour) => texts.count(hour.of), align: 'end' },
    { key: 'share', header: sayLabel(chartWords.share), cell: (hour) => texts.percent(shareOf(hour)), align: 'end' },
  ]
  return (
    <ChartCard
      title={chartWords.reporting}
      empty={of === 0 ? chartWords.noReporting : undefined}
      columns={columns}
      rows={hours.toReversed()}
      rowKey={({ at }) => String(at)}
    >
      <ColumnChart
        label={sayLabel(chartWords.reporting)}
        columns={hours.map((hour) => ({
          key: String(hour.at),
          parts: [{ key: 'share', value: shareOf(hour) - floor, tone: toneOf(shareOf(hour), mean) }],
          tick: texts.isMidnight(hour.at - 12 * hourMs) ? texts.weekday(hour.at) : undefined,
        }))}
        textOf={textOf}
        summary={sayLabel(chartWords.reportingSum, { pct: texts.percent(mean), of: texts.count(of) })}
        top={1 - floor}
        topText={texts.percent(1, 0)}
        bottomText={texts.percent(floor, 0)}
        isStrip
        heightPx={80}
      />
    </ChartCard>
  )
}
