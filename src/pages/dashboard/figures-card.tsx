import { useSay } from '#fields/definitions.tsx'
import type { SummaryCard } from '#schema/wire/summary.ts'
import { Card } from '#ui/layout/card.tsx'
import { dashboardWords } from './dashboard-words.ts'
import { FigureRow } from './figure-row.tsx'

/** Housekeeping figures, each with a link. */
export function FiguresCard({ cards }: { cards: readonly SummaryCard[] }) {
  const title = useSay()(dashboardWords.tidy)
  if (cards.length === 0) return null
  return (
    <Card title={title}>
      <ul className="dash-rows" aria-label={title}>
        {cards.map((card) => (
          <FigureRow key={`${card.resource} ${card.key}`} card={card} />
        ))}
      </ul>
    </Card>
  )
}
