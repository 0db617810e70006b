import { useConsole, useSay } from '#fields/definitions.tsx'
import { formatMoment, formatRelative } from '#fields/time/time-format.ts'
import { useNow } from '#fields/time/use-now.ts'
import { routeOf, titleLabel } from '#schema/definition.ts'
import { auditActionLabel, kindLabel } from '#schema/journal/journal-words.ts'
import { isAllowed } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { SummaryChange } from '#schema/wire/summary.ts'
import { iconOf } from '#shell/menu/menu-items.ts'
import { useWords } from '#shell/use-words.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Icon } from '#ui/icon/icon.tsx'
import { Card } from '#ui/layout/card.tsx'
import { Link } from '#ui/layout/link.tsx'
import { dashboardWords } from './dashboard-words.ts'

/** The changed record, linked if the viewer may open it. */
function Changed({ change, resource }: { change: SummaryChange; resource: AnyResource | undefined }) {
  const sayLabel = useSay()
  const { permissions } = useConsole()
  const label = kindLabel(resource, change.entityType)
  const kind = label ? sayLabel(label) : change.entityType
  const { code, entityId, action } = change
  const isThere =
    resource && entityId && action !== 'delete' && action !== 'purge' && isAllowed(permissions, resource.name, 'show')
  if (!code) return <span>{kind}</span>
  const title = sayLabel(titleLabel(resource, code))
  return (
    <span>
      {kind} {isThere ? <Link href={`/${routeOf(resource)}/${encodeURIComponent(entityId)}`}>{title}</Link> : title}
    </span>
  )
}

function ChangeRow({ change }: { change: SummaryChange }) {
  const sayLabel = useSay()
  const { definitions, language, zone } = useConsole()
  const nowMs = useNow()
  const resource = definitions.get(change.entityType)
  const word = auditActionLabel(resource, change.action)
  const action = word ? sayLabel(word) : change.action
  const actor = change.actor?.name ?? sayLabel(dashboardWords.system)
  return (
    <li className="dash-change">
      <Icon name={resource ? iconOf(resource) : 'history'} />
      <span className="dash-change-text">
        <Changed change={change} resource={resource} />
        <small>{sayLabel(dashboardWords.did, { actor, action })}</small>
      </span>
      <time dateTime={change.at} title={formatMoment(change.at, language, zone)}>
        {formatRelative(change.at, language, nowMs)}
      </time>
    </li>
  )
}

/** The most recent changes that the viewer may read. */
export function RecentCard({ changes }: { changes: readonly SummaryChange[] }) {
  const words = useWords()
  const sayLabel = useSay()
  const { definitions, permissions } = useConsole()
  const log = definitions.get('audit-log')
  const isOpen = log && isAllowed(permissions, log.name, 'list')
  return (
    <Card
      title={words('dashboard.recent')}
      actions={isOpen && <Link href={`/${routeOf(log)}`}>{sayLabel(log.label.many)}</Link>}
      flush
    >
      {changes.length > 0 ? (
        <ul className="dash-changes">
          {changes.map((change) => (
            <ChangeRow key={change.id} change={change} />
          ))}
        </ul>
      ) : (
        <EmptyState icon="history" title={sayLabel(dashboardWords.noChanges)} />
      )}
    </Card>
  )
}
