import { useList } from '@refinedev/core'
import { useConsole, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { choiceLabel } from '#schema/facts/choices.ts'
import { formatBytes } from '#schema/format/format.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { Link } from '#ui/layout/link.tsx'
import { crudFilters } from '#views/list/refine-query.ts'
import { recordPath } from '#views/shared/paths.ts'
import { useRecord } from '#views/shared/use-record.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { useFacts } from '#widgets/use-facts.tsx'
import { FailureCard } from './failure-card.tsx'
import { readEvents } from './read-events.ts'
import { TimeLeft } from './time-left.tsx'
import { UpdateProgress } from './update-progress.tsx'
import { UpdateSteps } from './update-steps.tsx'
import { UpdateTimeline } from './update-timeline.tsx'
import { updateWords } from './update-words.ts'
import './update.css'

const paths = ['controlPcbId', 'essId', 'firmwareId', 'fromVersion', 'toVersion', 'kind', 'requestedBy', 'createdAt']
/** Facts shown only with a value. */
const sometimes = [
  'waiting',
  'overrideReason',
  'scheduledAt',
  'window',
  'finishedAt',
  'canceledBy',
  'retryOfId',
  'rolloutId',
  'wave',
  'confirmedPackets',
]
const isFilled = (record: Row) => (path: string) => record[path] !== null && record[path] !== undefined

/** An update: progress, deadline, failure, and all events. */
export function UpdateRecord({ resource, record, isPartial }: WidgetProps) {
  const sayLabel = useSay()
  const facts = useFacts({ resource, record, isPartial })
  const again = useAgain(resource, String(record.id))
  const events = readEvents(record.events)
  const shown = [...paths, ...sometimes.filter(isFilled(record))]
  return (
    <div className="update">
      <CourseCard {...{ resource, record, events }} />
      {record.finishedAt !== null && <FailureCard {...{ resource, record }} />}
      <div className="update-columns">
        <UpdateTimeline {...{ resource, events }} />
        <Card title={sayLabel(updateWords.about)}>
          <DescriptionList
            items={[
              ...facts(shown),
              ...(again
                ? [{ key: 'again', label: sayLabel(updateWords.again), value: <Again {...{ resource, again }} /> }]
                : []),
            ]}
          />
        </Card>
      </div>
    </div>
  )
}

type CourseProps = { resource: AnyResource; record: Row; events: ReturnType<typeof readEvents> }

function CourseCard({ resource, record, events }: CourseProps) {
  const sayLabel = useSay()
  const { status, bytesSent } = resource.fields
  const { attempt, maxAttempts, deadlineAt } = record
  const sent = useSentText(record)
  const items = [
    ...(typeof deadlineAt === 'string'
      ? [{ key: 'deadline', label: sayLabel(updateWords.deadline), value: <TimeLeft at={deadlineAt} /> }]
      : []),
    {
      key: 'attempt',
      label: sayLabel(updateWords.attempt),
      value: sayLabel(updateWords.attemptOf, { attempt: Number(attempt ?? 1), most: Number(maxAttempts ?? 1) }),
    },
    ...(bytesSent && sent ? [{ key: 'sent', label: sayLabel(bytesSent.label), value: sent }] : []),
  ]
  return (
    <Card title={sayLabel(updateWords.course)}>
      <div className="update-course">
        {status?.type === 'status' && <UpdateSteps status={String(record.status)} field={status} events={events} />}
        <UpdateProgress resource={resource} record={record} />
        <DescriptionList items={items} />
      </div>
    </Card>
  )
}

/** Transferred share of the image, when both sizes are known. */
function useSentText({ bytesSent, firmwareId }: Row): string | undefined {
  const sayLabel = useSay()
  const { language } = useConsole()
  const { record: firmware } = useRecord('firmware', typeof firmwareId === 'string' ? firmwareId : undefined)
  const size = valueAt(firmware, 'file.sizeBytes')
  if (typeof bytesSent !== 'number') return undefined
  const sent = formatBytes(bytesSent, language)
  return typeof size === 'number' ? sayLabel(updateWords.ofBytes, { sent, all: formatBytes(size, language) }) : sent
}

function useAgain(resource: AnyResource, id: string): Row | undefined {
  const { query } = useList({
    resource: resource.name,
    filters: crudFilters([{ field: 'retryOfId', op: 'eq', values: [id] }], ''),
    pagination: { currentPage: 1, pageSize: 1, mode: 'server' },
    errorNotification: false,
  })
  return query.data?.data[0]
}

function Again({ resource, again }: { resource: AnyResource; again: Row }) {
  const sayLabel = useSay()
  const { language } = useConsole()
  const { status } = resource.fields
  const state = status?.type === 'status' ? sayLabel(choiceLabel(status, String(again.status))) : ''
  const attempt = resource.fields.attempt ? fieldText(resource.fields.attempt, again.attempt, { language }) : ''
  return (
    <Link className="ui-link" href={recordPath(resource, String(again.id))}>
      {sayLabel(updateWords.againOf, { attempt, state })}
    </Link>
  )
}
