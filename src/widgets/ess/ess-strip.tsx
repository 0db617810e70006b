import { useConsole, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { fieldOf, routeOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { Tag } from '#ui/feedback/tag.tsx'
import { Link } from '#ui/layout/link.tsx'
import { configurationFields } from '#widgets/board/board-fields.ts'
import type { LastTelemetry } from '#widgets/energy/last-telemetry.ts'
import { essWords } from './ess-words.ts'
import { StripItem } from './strip-item.tsx'

type StripProps = { resource: AnyResource; record: Row; last: LastTelemetry | undefined }

/** State of a site in one line. */
export function EssStrip({ resource, record, last }: StripProps) {
  const sayLabel = useSay()
  const { definitions, language, zone } = useConsole()
  const { cause } = resource.fields
  const reason = cause && fieldText(cause, record.cause, { language })
  const mode = configurationFields(definitions).operatingMode
  const until = valueAt(record, 'maintenance.until')
  const untilField = fieldOf(resource, 'maintenance.until')
  const configuration = last?.board?.configuration
  return (
    <ul className="ess-strip">
      {['connection', 'health'].map((path) => {
        const field = fieldOf(resource, path)
        return (
          field && (
            <StripItem key={path} label={field.label}>
              <FieldDisplay field={field} path={path} row={record} />
              {path === 'connection' && reason && <span className="energy-note">{reason}</span>}
            </StripItem>
          )
        )
      })}
      {mode && (configuration || !last) && (
        <StripItem label={essWords.mode}>
          {configuration ? <FieldDisplay field={mode} path="operatingMode" row={configuration} /> : '…'}
        </StripItem>
      )}
      <StripItem label={essWords.warnings}>
        <OpenWarnings record={record} />
      </StripItem>
      {typeof until === 'string' && untilField && (
        <li>
          <Tag tone="info" icon="settings">
            {sayLabel(essWords.maintenance, { time: fieldText(untilField, until, { language, zone }) })}
          </Tag>
        </li>
      )}
    </ul>
  )
}

function OpenWarnings({ record }: { record: Row }) {
  const sayLabel = useSay()
  const warnings = useConsole().definitions.get('telemetry-warning')
  const count = Number(valueAt(record, 'counts.openWarnings') ?? 0)
  if (count === 0 || !warnings) return <span>{sayLabel(essWords.none)}</span>
  const query = new URLSearchParams({ essId: String(record.id), active: 'true', suppressed: 'false' })
  return (
    <Link className="ui-link" href={`/${routeOf(warnings)}?${query}`}>
      {count}
    </Link>
  )
}
