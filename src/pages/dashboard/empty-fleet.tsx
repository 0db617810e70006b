import { useConsole, useSay } from '#fields/definitions.tsx'
import { isAllowed } from '#schema/permissions.ts'
import { pagesFor } from '#shell/own-pages.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { dashboardWords } from './dashboard-words.ts'

/** Shown without any records: how to create the first ones. */
export function EmptyFleet() {
  const sayLabel = useSay()
  const { definitions, permissions, viewer } = useConsole()
  const ess = definitions.get('ess')
  const mayFill = pagesFor(viewer.role, permissions).some(({ key }) => key === 'filling')
  const actions = (
    <div className="ui-actions">
      {ess && isAllowed(permissions, ess.name, 'create') && (
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
    <Card>
      <EmptyState
        icon="battery"
        title={sayLabel(dashboardWords.emptyTitle)}
        text={sayLabel(dashboardWords.emptyText)}
        action={actions}
      />
    </Card>
  )
}
