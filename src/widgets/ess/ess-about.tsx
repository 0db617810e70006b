import { useConsole, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { formatDay } from '#fields/time/time-format.ts'
import { useNow } from '#fields/time/use-now.ts'
import { fieldOf } from '#schema/definition.ts'
import { localFromIso } from '#schema/format/zone-time.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { Tag } from '#ui/feedback/tag.tsx'
import { essWords } from './ess-words.ts'
import { StripItem } from './strip-item.tsx'

/** Owner and name of the site, above every tab. */
export function EssAbout({ resource, record }: { resource: AnyResource; record: Row }) {
  const owner = fieldOf(resource, 'ownerId')
  const { warrantyUntil } = record
  return (
    <ul className="ess-strip ess-about">
      <li className="ess-about-name">{String(record.name ?? '')}</li>
      {owner && (
        <StripItem label={owner.label}>
          <FieldDisplay field={owner} path="ownerId" row={record} />
        </StripItem>
      )}
      {typeof warrantyUntil === 'string' && (
        <StripItem label={essWords.warranty}>
          <Warranty until={warrantyUntil} zone={valueAt(record, 'location.timezone')} />
        </StripItem>
      )}
    </ul>
  )
}

/** The warranty's last day counts in full, in the site's zone. */
function Warranty({ until, zone }: { until: string; zone: unknown }) {
  const sayLabel = useSay()
  const { language } = useConsole()
  const nowMs = useNow()
  const today = localFromIso(new Date(nowMs).toISOString(), typeof zone === 'string' ? zone : undefined).slice(0, 10)
  const isOver = until < today
  const text = sayLabel(isOver ? essWords.warrantyOver : essWords.warrantyUntil, { day: formatDay(until, language) })
  if (!isOver) return <span>{text}</span>
  return (
    <Tag tone="warn" icon="warning">
      {text}
    </Tag>
  )
}
