import { Suspense } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { powerLinesCode } from '#pages/dashboard/view-code.ts'
import { factsOf } from '#resources/fleet/channel-of.ts'
import type { SummaryCharts } from '#schema/wire/summary.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import { LazyView } from '#ui/layout/lazy-chunk.tsx'
import { ChartCard } from './chart-card.tsx'
import { useChartTexts } from './chart-texts.ts'
import { chartWords } from './chart-words.ts'
import { powerChannels } from './power-channels.ts'
import { powerText } from './power-text.ts'

type Hour = SummaryCharts['power'][number]

/** Generation, load, storage and grid of the whole fleet, by hour. */
export function PowerChart({ hours }: { hours: SummaryCharts['power'] }) {
  const sayLabel = useSay()
  const texts = useChartTexts()
  const columns: GridColumn<Hour>[] = [
    { key: 'hour', header: sayLabel(chartWords.hour), cell: ({ at }) => texts.hour(at) },
    ...powerChannels.map(
      (name): GridColumn<Hour> => ({
        key: name,
        header: sayLabel(factsOf(name).label),
        cell: (hour) => powerText(hour, name, { sayLabel, texts }),
        align: 'end',
      }),
    ),
    { key: 'systems', header: sayLabel(chartWords.systems), cell: ({ systems }) => texts.count(systems), align: 'end' },
  ]
  return (
    <ChartCard
      title={chartWords.power}
      empty={hours.length === 0 ? chartWords.noPower : undefined}
      columns={columns}
      rows={hours.toReversed()}
      rowKey={({ at }) => String(at)}
    >
      <Suspense fallback={<Skeleton height={280} />}>
        <LazyView code={powerLinesCode} props={{ hours }} />
      </Suspense>
    </ChartCard>
  )
}
