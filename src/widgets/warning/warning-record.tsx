import { useConsole, useMay, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { useNow } from '#fields/time/use-now.ts'
import { routeOf } from '#schema/definition.ts'
import { formatDuration } from '#schema/format/format.ts'
import { valueAt } from '#schema/rule.ts'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { Link } from '#ui/layout/link.tsx'
import { useRecord } from '#views/shared/use-record.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { useLastTelemetry } from '#widgets/energy/use-last-telemetry.ts'
import { useFacts } from '#widgets/use-facts.tsx'
import { CommentsCard } from './comments-card.tsx'
import { conditionDurationS, isDurationWhenRaised } from './condition-duration.ts'
import { GuideCard } from './guide-card.tsx'
import { MeasuredCard } from './measured-card.tsx'
import { SnapshotCard } from './snapshot-card.tsx'
import { useCaseFact } from './use-case-fact.tsx'
import { warningWords } from './warning-words.ts'
import './warning.css'

const places = ['essId', 'controlPcbId', 'source']
const counted = ['occurrences', 'flapping', 'suppressed']
/** A silence is looked for, and not seen again and again. */
const timesOf = (record: Row) => ['startedAt', 'raisedAt', ...(isDurationWhenRaised(record) ? [] : ['lastSeenAt']), ...counted]
const people = ['assigneeId', 'acknowledged']
/** Facts shown only with a value. */
const when = (record: Row, name: string, paths: readonly string[]): readonly string[] =>
  record[name] === null || record[name] === undefined ? [] : paths

/** A warning with its meaning, measurements, history and comments. */
export function WarningRecord(about: WidgetProps) {
  const { resource, record, isPartial } = about
  const boardId = typeof record.controlPcbId === 'string' ? record.controlPcbId : undefined
  const { record: board } = useRecord('control-pcb', boardId)
  const home = boardId ? ['control-pcb', boardId] : ['ess', String(record.essId)]
  const { data: last } = useLastTelemetry(home[0] ?? '', home[1] ?? '')
  return (
    <div className="warning">
      <GuideCard record={record} last={last} />
      <div className="warning-columns">
        <MeasuredCard {...about} clockOffsetMs={valueAt(board, 'clockOffsetMs')} />
        <TimesCard {...about} />
        <PeopleCard {...about} />
      </div>
      <CommentsCard resource={resource} record={record} />
      {!isPartial && <SnapshotCard record={record} last={last} />}
    </div>
  )
}

function TimesCard({ resource, record, isPartial }: WidgetProps) {
  const sayLabel = useSay()
  const facts = useFacts({ resource, record, isPartial })
  const { language } = useConsole()
  const now = useNow()
  const lasted = conditionDurationS(record, now)
  const isOver = record.active !== true
  const end =
    isOver && record.clearedBy === null
      ? [{ key: 'by', label: clearedLabel(resource, sayLabel), value: sayLabel(warningWords.byItself) }]
      : []
  return (
    <Card title={sayLabel(warningWords.times)}>
      <DescriptionList
        compact
        items={[
          ...facts([
            ...timesOf(record),
            ...when(record, 'worstAt', ['worstAt']),
            ...when(record, 'maintenance', ['maintenance']),
            ...when(record, 'clearedAt', ['clearedAt']),
          ]),
          ...facts(when(record, 'clearedBy', ['clearedBy'])),
          ...end,
          {
            key: 'lasted',
            label: sayLabel(isOver ? warningWords.lasted : warningWords.lasting),
            value: Number.isNaN(lasted) ? '–' : formatDuration(lasted, language),
          },
        ]}
      />
    </Card>
  )
}

const clearedLabel = ({ fields }: WidgetProps['resource'], sayLabel: ReturnType<typeof useSay>) =>
  fields.clearedBy ? sayLabel(fields.clearedBy.label) : ''

function PeopleCard({ resource, record, isPartial }: WidgetProps) {
  const sayLabel = useSay()
  const facts = useFacts({ resource, record, isPartial })
  const { definitions } = useConsole()
  const may = useMay()
  const packages = definitions.get('package')
  const { packageId } = record
  const packet = packages && typeof packageId === 'string' && may('package', 'show') && (
    <Link className="ui-link" href={`/${routeOf(packages)}/${encodeURIComponent(packageId)}`}>
      {sayLabel(warningWords.package)}
    </Link>
  )
  const caseFact = useCaseFact({ resource, record, isPartial })
  const acknowledged = when(record, 'acknowledgedAt', ['acknowledgedAt', 'acknowledgedBy'])
  const snoozed = when(record, 'snoozedUntil', ['snoozedUntil', 'snoozedBy', 'snoozeReason'])
  const { packageId: field } = resource.fields
  return (
    <Card title={sayLabel(warningWords.people)}>
      <DescriptionList
        compact
        items={[
          ...facts([...people, ...acknowledged, ...when(record, 'ackNote', ['ackNote']), ...snoozed, ...places]),
          ...caseFact,
          ...(packet && field ? [{ key: 'packageId', label: sayLabel(field.label), value: packet }] : []),
        ]}
      />
    </Card>
  )
}
