import { useNavigate } from 'react-router'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { listHref } from '#pages/dashboard/list-href.ts'
import type { SummaryFleet } from '#schema/wire/summary.ts'
import { ColumnChart } from '#ui/chart/column-chart.tsx'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import { ChartCard } from './chart-card.tsx'
import { useChartTexts } from './chart-texts.ts'
import { chartWords } from './chart-words.ts'

type Bin = SummaryFleet['soc'][number]

/** Upper label of a bin: 0–10, 10–20. */
const endOf = ({ to }: Bin) => Math.ceil(to)

/** Histogram of charge; a bin links to its systems. */
export function ChargeChart({ fleet }: { fleet: SummaryFleet }) {
  const sayLabel = useSay()
  const navigate = useNavigate()
  const texts = useChartTexts()
  const resource = useConsole().definitions.get('ess')
  const { soc, socPct } = fleet
  const systems = fleet.measured.socPct
  const hrefOf = ({ from, to }: Bin) => resource && listHref(resource, '', { socPct_gte: String(from), socPct_lte: String(to) })
  const textOf = (index: number) => {
    const bin = soc[index]
    return bin ? sayLabel(chartWords.socAt, { from: bin.from, to: endOf(bin), count: bin.count }) : ''
  }
  const pick = (index: number) => {
    const href = soc[index] && hrefOf(soc[index])
    if (href) navigate(href)
  }
  const columns: GridColumn<Bin>[] = [
    { key: 'bin', header: sayLabel(chartWords.soc), cell: (bin) => `${bin.from}–${endOf(bin)} %` },
    { key: 'count', header: sayLabel(chartWords.systems), cell: ({ count }) => texts.count(count), align: 'end' },
  ]
  return (
    <ChartCard
      title={chartWords.soc}
      empty={systems === 0 ? chartWords.noSoc : undefined}
      columns={columns}
      rows={soc}
      rowKey={({ from }) => String(from)}
      rowHref={hrefOf}
    >
      <ColumnChart
        label={sayLabel(chartWords.soc)}
        columns={soc.map((bin) => ({
          key: String(bin.from),
          parts: [{ key: 'count', value: bin.count, tone: bin.from < 10 ? 'bad' : bin.from < 20 ? 'warn' : 'good' }],
          tick: String(bin.from),
        }))}
        textOf={textOf}
        summary={sayLabel(chartWords.socSum, {
          systems,
          pct: texts.percent((socPct ?? 0) / 100),
        })}
        topText={texts.count(Math.max(...soc.map(({ count }) => count)))}
        heightPx={150}
        onPick={pick}
      />
    </ChartCard>
  )
}
