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

/** Minimum shares of systems for an hour to count as good or fair. */
const shares = { good: 0.95, fair: 0.8 }

const shareOf = ({ heard, of }: Hour) => (of > 0 ? heard / of : 0)

function toneOf(hour: Hour): Tone {
  const share = shareOf(hour)
  if (share === 0) return 'idle'
  return share >= shares.good ? 'good' : share >= shares.fair ? 'warn' : 'bad'
}

/** Share of systems in service with valid data, by hour of a week. */
export function ReportingChart({ hours }: { hours: SummaryCharts['reporting'] }) {
  const sayLabel = useSay()
  const texts = useChartTexts()
  const of = hours.at(-1)?.of ?? 0
  const inOperation = hours.filter((hour) => hour.of > 0)
  const mean = inOperation.reduce((sum, hour) => sum + shareOf(hour), 0) / Math.max(1, inOperation.length)
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
          parts: [{ key: 'share', value: 1, tone: toneOf(hour) }],
          tick: texts.isMidnight(hour.at - 12 * hourMs) ? texts.weekday(hour.at) : undefined,
        }))}
        textOf={textOf}
        summary={sayLabel(chartWords.reportingSum, { pct: texts.percent(mean), of: texts.count(of) })}
        top={1}
        isStrip
        heightPx={44}
      />
    </ChartCard>
  )
}
