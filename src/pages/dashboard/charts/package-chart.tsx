import { useSay } from '#fields/definitions.tsx'
import type { SummaryCharts } from '#schema/wire/summary.ts'
import { ColumnChart } from '#ui/chart/column-chart.tsx'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import { ChartCard } from './chart-card.tsx'
import { useChartTexts } from './chart-texts.ts'
import { chartWords } from './chart-words.ts'

type Hour = SummaryCharts['packages'][number]
const kinds = ['valid', 'partial', 'invalid'] as const
const tones = { valid: 'good', partial: 'warn', invalid: 'bad' } as const
const tickEvery = 6

/** Packets by hour of a day, with the share of valid ones. */
export function PackageChart({ hours }: { hours: SummaryCharts['packages'] }) {
  const sayLabel = useSay()
  const texts = useChartTexts()
  const sum = (of: (hour: Hour) => number) => hours.reduce((total, hour) => total + of(hour), 0)
  const [valid, bad] = [sum((hour) => hour.valid), sum(({ partial, invalid }) => partial + invalid)]
  const textOf = (index: number) => {
    const hour = hours[index]
    if (!hour) return ''
    const counts = { valid: texts.count(hour.valid), partial: texts.count(hour.partial), invalid: texts.count(hour.invalid) }
    return sayLabel(chartWords.packagesAt, { hour: texts.hour(hour.at), ...counts })
  }
  const columns: GridColumn<Hour>[] = [
    { key: 'hour', header: sayLabel(chartWords.hour), cell: ({ at }) => texts.hour(at) },
    ...kinds.map(
      (kind): GridColumn<Hour> => ({
        key: kind,
        header: sayLabel(chartWords[kind]),
        cell: (hour) => texts.count(hour[kind]),
        align: 'end',
      }),
    ),
  ]
  return (
    <ChartCard
      title={chartWords.packages}
      empty={valid + bad === 0 ? chartWords.noPackages : undefined}
      columns={columns}
      rows={hours.toReversed()}
      rowKey={({ at }) => String(at)}
    >
      <ColumnChart
        label={sayLabel(chartWords.packages)}
        columns={hours.map((hour, index) => ({
          key: String(hour.at),
          parts: kinds.map((kind) => ({ key: kind, value: hour[kind], tone: tones[kind] })),
          tick: index % tickEvery === 2 ? texts.clock(hour.at) : undefined,
          isOpen: index === hours.length - 1,
        }))}
        textOf={textOf}
        summary={sayLabel(chartWords.packagesSum, {
          valid: texts.count(valid),
          bad: texts.count(bad),
          pct: texts.percent(bad / Math.max(1, valid + bad)),
        })}
        topText={texts.count(Math.max(...hours.map((hour) => hour.valid + hour.partial + hour.invalid)))}
        legend={kinds.map((kind) => ({ tone: tones[kind], text: sayLabel(chartWords[kind]) }))}
        heightPx={130}
      />
    </ChartCard>
  )
}
