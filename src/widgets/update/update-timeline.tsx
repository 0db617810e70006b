import '#schema/later/action-forms.ts'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { fieldText } from '#fields/field-text.ts'
import { formatMoment, formatUtc } from '#fields/time/time-format.ts'
import { choiceLabel } from '#schema/facts/choices.ts'
import type { Field } from '#schema/field-types.ts'
import { formatDuration } from '#schema/format/format.ts'
import type { AnyResource } from '#schema/resource.ts'
import { StatusDot } from '#ui/feedback/status-dot.tsx'
import { Card } from '#ui/layout/card.tsx'
import { eventReason, type UpdateEvent } from './read-events.ts'
import { updateWords } from './update-words.ts'

const partOf = ({ events }: AnyResource['fields'], name: string): Field | undefined =>
  events?.type === 'list' ? events.fields[name] : undefined

/** Timeline of an update: event, time, delay, author and reason. */
export function UpdateTimeline({ resource, events }: { resource: AnyResource; events: readonly UpdateEvent[] }) {
  const sayLabel = useSay()
  return (
    <Card title={sayLabel(updateWords.timeline)}>
      {events.length === 0 && <p>{sayLabel(updateWords.noEvents)}</p>}
      <ol className="update-events">
        {events.map((event, index) => (
          <Entry
            key={`${event.at} ${event.from} ${event.to}`}
            {...{ resource, event, before: events[index - 1] }}
            isLast={index === events.length - 1}
          />
        ))}
      </ol>
    </Card>
  )
}

type EntryProps = { resource: AnyResource; event: UpdateEvent; before: UpdateEvent | undefined; isLast: boolean }

function Entry({ resource, event, before, isLast }: EntryProps) {
  const sayLabel = useSay()
  const { language, zone } = useConsole()
  const { status, failureCode, progressPct: share } = resource.fields
  const source = partOf(resource.fields, 'source')
  const { at, from, to, progressPct } = event
  const failure = (code: string) =>
    failureCode?.type === 'enum' ? sayLabel(updateWords.quoted, { text: sayLabel(choiceLabel(failureCode, code)) }) : code
  const reason = eventReason(event, language, failure)
  const states = status?.type === 'status' ? status : undefined
  const nameOf = (state: string) => (states ? sayLabel(choiceLabel(states, state)) : state)
  const spanS = before ? Math.round((Date.parse(at) - Date.parse(before.at)) / 1000) : 0
  const isOpen = isLast && states?.states[to]?.next !== undefined
  return (
    <li className="update-event">
      <time dateTime={at} title={formatUtc(at)}>
        {formatMoment(at, language, zone, 'medium')}
        {spanS > 0 && <small>{sayLabel(updateWords.waited, { span: formatDuration(spanS, language) })}</small>}
      </time>
      <div>
        <StatusDot tone={states?.states[to]?.tone ?? 'idle'} active={isOpen}>
          <span>{from ? `${nameOf(from)} → ${nameOf(to)}` : `${sayLabel(updateWords.begun)}: ${nameOf(to)}`}</span>
        </StatusDot>
        {reason && <p>{reason}</p>}
        <small>
          {[
            source && event.source && fieldText(source, event.source, { language }),
            share && progressPct !== null && progressPct > 0 && fieldText(share, progressPct, { language }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </div>
    </li>
  )
}
