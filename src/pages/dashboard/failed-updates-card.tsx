import { useConsole, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import { formatMoment, formatRelative } from '#fields/time/time-format.ts'
import { useNow } from '#fields/time/use-now.ts'
import { routeOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { SummaryUpdate } from '#schema/wire/summary.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Card } from '#ui/layout/card.tsx'
import { Link } from '#ui/layout/link.tsx'
import { dashboardWords } from './dashboard-words.ts'
import { listHref } from './list-href.ts'

const failedOnes = 'status=FAILED&status=ROLLED_BACK&status=EXPIRED'

function UpdateRow({ update, resource }: { update: SummaryUpdate; resource: AnyResource }) {
  const { language, zone } = useConsole()
  const nowMs = useNow()
  const { status, failureCode } = resource.fields
  const { id, toVersion, finishedAt, board } = update
  return (
    <li>
      <Link className="dash-item" href={`/${routeOf(resource)}/${encodeURIComponent(id)}`}>
        <span className="dash-item-lead">
          {status && <FieldDisplay field={status} path="status" row={update} place="link" />}
        </span>
        <span className="dash-item-text">
          <span>
            {board?.code} → {toVersion}
          </span>
          <small>
            {failureCode && update.failureCode && (
              <FieldDisplay field={failureCode} path="failureCode" row={update} place="link" />
            )}
          </small>
        </span>
        {finishedAt && (
          <time dateTime={finishedAt} title={formatMoment(finishedAt, language, zone)}>
            {formatRelative(finishedAt, language, nowMs)}
          </time>
        )}
      </Link>
    </li>
  )
}

/** The most recent failed updates with their reasons. */
export function FailedUpdatesCard({ updates }: { updates: readonly SummaryUpdate[] }) {
  const sayLabel = useSay()
  const resource = useConsole().definitions.get('firmware-update')
  if (!resource) return null
  const title = sayLabel(dashboardWords.failedUpdates)
  return (
    <Card title={title} actions={<Link href={listHref(resource, failedOnes)}>{sayLabel(dashboardWords.allFailed)}</Link>} flush>
      {updates.length > 0 ? (
        <ol className="dash-items" aria-label={title}>
          {updates.map((update) => (
            <UpdateRow key={update.id} {...{ update, resource }} />
          ))}
        </ol>
      ) : (
        <EmptyState icon="check" title={sayLabel(dashboardWords.noFailed)} />
      )}
    </Card>
  )
}
