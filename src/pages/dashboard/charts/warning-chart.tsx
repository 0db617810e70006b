import { useNavigate } from 'react-router'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { listHref } from '#pages/dashboard/list-href.ts'
import type { SummaryCharts } from '#schema/wire/summary.ts'
import { ColumnChart } from '#ui/chart/column-chart.tsx'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import type { Tone } from '#ui/theme/tokens.ts'
import { ChartCard } from './chart-card.tsx'
import { useChartTexts } from './chart-texts.ts'
import { chartWords } from './chart-words.ts'

type Day = SummaryCharts['warnings'][number]
const severities = ['CRITICAL', 'WARNING', 'INFO'] as const
const tickEvery = 5

const totalOf = (day: Pick<Day, (typeof severities)[number]>) => severities.reduce((sum, name) => sum + day[name], 0)

/** Names and tones of severities from the warnings' definition. */
function useSeverities() {
  const sayLabel = useSay()
  const resource = useConsole().definitions.get('telemetry-warning')
  const { severity } = resource?.fields ?? {}
  return severities.map((name) => {
    const state = severity?.type === 'status' ? severity.states[name] : undefined
    return { name, tone: state?.tone ?? ('idle' as Tone), label: state ? sayLabel(state.label) : name }
  })
}

/** Warnings by start day and severity; a day links to its warnings. */
export function WarningChart({ days }: { days: SummaryCharts['warnings'] }) {
  const sayLabel = useSay()
  const navigate = useNavigate()
  const texts = useChartTexts()
  const levels = useSeverities()
  const resource = useConsole().definitions.get('telemetry-warning')
  const partsOf = (day: Record<(typeof severities)[number], number>) =>
    levels
      .filter(({ name }) => day[name] > 0)
      .map(({ name, label }) => `${label.toLowerCase()} ${texts.count(day[name])}`)
      .join(', ')
  const hrefOf = ({ from, to }: Day) => resource && listHref(resource, '', { raisedAt_gte: from, raisedAt_lte: to })
  const textOf = (index: number) => {
    const day = days[index]
    if (!day) return ''
    return sayLabel(totalOf(day) > 0 ? chartWords.warningsAt : chartWords.noneAt, {
      day: texts.day(day.day),
      total: totalOf(day),
      parts: partsOf(day),
    })
  }
  const sums = { CRITICAL: 0, WARNING: 0, INFO: 0 }
  for (const day of days) for (const name of severities) sums[name] += day[name]
  const highest = Math.max(1, ...days.map(totalOf))
  const pick = (index: number) => {
    const href = days[index] && hrefOf(days[index])
    if (href) navigate(href)
  }
  const columns: GridColumn<Day>[] = [
    { key: 'day', header: sayLabel(chartWords.day), cell: ({ day }) => texts.day(day) },
    ...levels.map(
      ({ name, label }): GridColumn<Day> => ({ key: name, header: label, cell: (day) => texts.count(day[name]), align: 'end' }),
    ),
  ]
  return (
    <ChartCard
      title={chartWords.warnings}
      columns={columns}
      rows={days.toReversed()}
      rowKey={({ day }) => day}
      rowHref={hrefOf}
    >
      <ColumnChart
        label={sayLabel(chartWords.warnings)}
        columns={days.map((day, index) => ({
          key: day.day,
          parts: levels.toReversed().map(({ name, tone }) => ({ key: name, value: day[name], tone })),
          tick: (days.length - 1 - index) % tickEvery === 2 ? texts.day(day.day) : undefined,
          isOpen: index === days.length - 1,
        }))}
        textOf={textOf}
        summary={
          totalOf(sums) > 0
            ? sayLabel(chartWords.warningsSum, { total: totalOf(sums), parts: partsOf(sums) })
            : sayLabel(chartWords.noWarnings)
        }
        topText={texts.count(highest)}
        legend={levels.map(({ tone, label }) => ({ tone, text: label }))}
        heightPx={130}
        onPick={pick}
      />
    </ChartCard>
  )
}
