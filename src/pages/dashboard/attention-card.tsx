import { useConsole, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import { fieldText } from '#fields/field-text.ts'
import { formatMoment, formatRelative } from '#fields/time/time-format.ts'
import { useNow } from '#fields/time/use-now.ts'
import { routeOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { SummaryWarning } from '#schema/wire/summary.ts'
import { useWords } from '#shell/use-words.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Tag } from '#ui/feedback/tag.tsx'
import { Card } from '#ui/layout/card.tsx'
import { Link } from '#ui/layout/link.tsx'
import { useChartTexts } from './charts/chart-texts.ts'
import { dashboardWords } from './dashboard-words.ts'
import { listHref } from './list-href.ts'

const openOnes = 'active=true&suppressed=false'

function AttentionRow({ warning, resource }: { warning: SummaryWarning; resource: AnyResource }) {
  const sayLabel = useSay()
  const texts = useChartTexts()
  const nowMs = useNow()
  const { severity, code, subject: subjectField } = resource.fields
  const { id, subject, acknowledged, raisedAt, ess, board } = warning
  const place = [ess?.code ?? board?.code, subjectField && fieldText(subjectField, subject, texts)].filter(Boolean).join(' · ')
  return (
    <li>
      <Link className="dash-item" href={`/${routeOf(resource)}/${encodeURIComponent(id)}`}>
        <span className="dash-item-lead">
          {severity && <FieldDisplay field={severity} path="severity" row={warning} place="link" />}
        </span>
        <span className="dash-item-text">
          <span>{code && <FieldDisplay field={code} path="code" row={warning} place="link" />}</span>
          <small>{place}</small>
        </span>
        {acknowledged && <Tag tone="info">{sayLabel(dashboardWords.acknowledged)}</Tag>}
        <time dateTime={raisedAt} title={formatMoment(raisedAt, texts.language, texts.zone)}>
          {formatRelative(raisedAt, texts.language, nowMs)}
        </time>
      </Link>
    </li>
  )
}

export function AttentionCard({ warnings }: { warnings: readonly SummaryWarning[] }) {
  const words = useWords()
  const sayLabel = useSay()
  const resource = useConsole().definitions.get('telemetry-warning')
  if (!resource) return null
  const title = words('dashboard.attention')
  return (
    <Card title={title} actions={<Link href={listHref(resource, openOnes)}>{sayLabel(dashboardWords.allOpen)}</Link>} flush>
      {warnings.length > 0 ? (
        <ol className="dash-items" aria-label={title}>
          {warnings.map((warning) => (
            <AttentionRow key={warning.id} {...{ warning, resource }} />
          ))}
        </ol>
      ) : (
        <EmptyState icon="check" title={words('dashboard.nothing')} />
      )}
    </Card>
  )
}
