import { useState } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { choiceLabel } from '#schema/facts/choices.ts'
import { dayMs, minuteMs } from '#schema/format/durations.ts'
import { formatNumber } from '#schema/format/format.ts'
import { presentMs } from '#schema/format/present-time.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { Badge } from '#ui/feedback/badge.tsx'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { Link } from '#ui/layout/link.tsx'
import { recordPath } from '#views/shared/paths.ts'
import { useAnswer } from '#views/shared/use-answer.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { useFacts } from '#widgets/use-facts.tsx'
import { boardWords } from './board-words.ts'

const refreshMs = minuteMs
const shownAtMost = 6
const counts = ['received', 'valid', 'partial', 'invalid', 'unread', 'duplicate', 'missed', 'invalidPct'].map(
  (name) => `quality24h.${name}`,
)

type Counted = { reason: string; count: number }
const isCounted = (value: unknown): value is Counted =>
  isObject(value) && 'reason' in value && 'count' in value && typeof value.count === 'number'
const readReasons = (data: unknown): Counted[] | undefined => (Array.isArray(data) ? data.filter(isCounted) : undefined)

/** Share of valid packets in the last day, and the reasons of invalid ones. */
export function QualityCard(about: Pick<WidgetProps, 'resource' | 'record' | 'isPartial'>) {
  const sayLabel = useSay()
  const facts = useFacts(about)
  const id = String(about.record.id)
  const [since] = useState(() => new Date(presentMs() - dayMs).toISOString())
  const tab = recordPath(about.resource, id, 'package-control')
  const { data } = useAnswer({
    url: 'package/reasons',
    query: { controlPcbId: id, receivedAt_gte: since },
    read: readReasons,
    refreshMs,
  })
  const packages = useConsole().definitions.get('package')
  const received = valueAt(about.record, 'quality24h.received')
  return (
    <Card
      title={sayLabel(boardWords.quality)}
      footer={
        <Link className="ui-link" href={tab}>
          {sayLabel(boardWords.packets)}
        </Link>
      }
    >
      {received === 0 ? <p>{sayLabel(boardWords.noPackets)}</p> : <DescriptionList compact items={facts(counts)} />}
      {packages && data && data.length > 0 && (
        <Reasons
          packages={packages}
          counted={data}
          href={(reason) => `${tab}?${new URLSearchParams({ reason, receivedAt_gte: since })}`}
        />
      )}
    </Card>
  )
}

type ReasonsProps = { packages: AnyResource; counted: readonly Counted[]; href: (reason: string) => string }

function Reasons({ packages, counted, href }: ReasonsProps) {
  const sayLabel = useSay()
  const { language } = useConsole()
  const field = packages.fields.reason
  const options = field?.type === 'tags' ? (field.options ?? []) : []
  const title = (reason: string) => sayLabel(choiceLabel({ type: 'enum', label: ['', ''], options }, reason))
  return (
    <ul className="board-reasons" aria-label={sayLabel(boardWords.reasons)}>
      {counted.slice(0, shownAtMost).map(({ reason, count }) => (
        <li key={reason}>
          <Link href={href(reason)} title={formatNumber(count, 0, language)}>
            {title(reason)} <Badge count={count} max={999_999} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
