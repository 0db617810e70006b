import type { SummaryCard } from '#schema/wire/summary.ts'
import { DistributionCard } from './distribution-card.tsx'
import { FiguresCard } from './figures-card.tsx'

/** Figures of the lists that a client or an installer may open: a count each, or a card for one that is split. */
export function OwnFigures({ cards }: { cards: readonly SummaryCard[] }) {
  if (cards.length === 0) return null
  return (
    <div className="dash-cards">
      <FiguresCard cards={cards.filter(({ by }) => by === undefined)} />
      {cards.flatMap((card) =>
        card.by === undefined ? [] : [<DistributionCard key={`${card.resource} ${card.key}`} card={card} />],
      )}
    </div>
  )
}
