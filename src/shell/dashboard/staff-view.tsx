import { useConsole, useSay } from '#fields/definitions.tsx'
import type { StaffSummary } from '#schema/summary.ts'
import { ownPages } from '#shell/own-pages.ts'
import { mayOpen } from '#shell/screens.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { dashboardWords } from './dashboard-words.ts'
import { DistributionCard } from './distribution-card.tsx'
import { FigureTile } from './figure-tile.tsx'
import { RecentCard } from './recent-card.tsx'

/** Nothing is there to be counted: how the first records come about. */
function EmptyFleet() {
  const sayLabel = useSay()
  const { definitions, permissions, viewer } = useConsole()
  const ess = definitions.get('ess')
  const mayFill = ownPages.some(({ key, roles }) => key === 'filling' && roles.includes(viewer.role))
  const actions = (
    <div className="ui-actions">
      {ess && mayOpen(permissions, ess, 'create') && (
        <Button kind="primary" icon="plus" href="/ess/create">
          {sayLabel(dashboardWords.addFirst)}
        </Button>
      )}
      {mayFill && (
        <Button icon="upload" href="/filling">
          {sayLabel(dashboardWords.fill)}
        </Button>
      )}
    </div>
  )
  return (
    <EmptyState
      icon="battery"
      title={sayLabel(dashboardWords.emptyTitle)}
      text={sayLabel(dashboardWords.emptyText)}
      action={actions}
    />
  )
}

/** The fleet at a glance: what is to be looked at, how it is spread, what was changed last. */
export function StaffView({ summary }: { summary: StaffSummary }) {
  const sayLabel = useSay()
  const spread = summary.cards.filter(({ groups }) => groups !== undefined)
  const single = summary.cards.filter(({ groups }) => groups === undefined)
  const isEmpty = spread.every(({ count }) => count === 0)
  return (
    <div className="dash">
      {single.length > 0 && (
        <ul className="dash-tiles" aria-label={sayLabel(dashboardWords.tidy)}>
          {single.map((card) => (
            <FigureTile key={card.key} card={card} />
          ))}
        </ul>
      )}
      {isEmpty && <EmptyFleet />}
      <div className="dash-cards">
        {spread.map((card) => (
          <DistributionCard key={card.key} card={card} />
        ))}
      </div>
      <RecentCard changes={summary.recent} />
    </div>
  )
}
