import { useList } from '@refinedev/core'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { measuredText } from '#schema/format/measured-text.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Link } from '#ui/layout/link.tsx'
import { crudFilters, crudSorters } from '#views/list/refine-query.ts'
import { recordPath } from '#views/shared/paths.ts'
import { isDurationWhenRaised } from './condition-duration.ts'

const shownAtMost = 10
const newestFirst = crudSorters([{ field: 'raisedAt', order: 'desc' }])

/** Open warnings of a board or an ESS, newest first; kept current by the live stream. */
export function useOpenWarnings(field: 'controlPcbId' | 'essId', id: string, isWanted: boolean) {
  const filters = crudFilters(
    [
      { field, op: 'eq', values: [id] },
      { field: 'active', op: 'eq', values: [true] },
    ],
    '',
  )
  const { query } = useList({
    resource: 'telemetry-warning',
    filters,
    sorters: newestFirst,
    pagination: { currentPage: 1, pageSize: shownAtMost, mode: 'server' },
    errorNotification: false,
    queryOptions: { enabled: isWanted },
  })
  return { rows: query.data?.data, total: query.data?.total }
}

export function WarningRows({ resource, rows }: { resource: AnyResource; rows: readonly Row[] }) {
  return (
    <ul className="warning-rows">
      {rows.map((row) => (
        <WarningRow key={String(row.id)} resource={resource} row={row} />
      ))}
    </ul>
  )
}

function WarningRow({ resource, row }: { resource: AnyResource; row: Row }) {
  const sayLabel = useSay()
  const { language } = useConsole()
  const { severity, code, subject, raisedAt, value: valueField } = resource.fields
  const value = isDurationWhenRaised(row) ? '' : measuredText(row.value, row.unit, language)
  return (
    <li>
      <Link href={recordPath(resource, String(row.id))}>
        <span className="warning-row-title">
          {severity && <FieldDisplay field={severity} path="severity" row={row} place="link" />}
          {code && <FieldDisplay field={code} path="code" row={row} place="link" />}
          {subject && typeof row.subject === 'string' && (
            <span className="energy-note">
              <FieldDisplay field={subject} path="subject" row={row} place="link" />
            </span>
          )}
        </span>
        {value && (
          <span className="warning-row-value">
            <span className="ui-hidden">{valueField && sayLabel(valueField.label)}</span> {value}
          </span>
        )}
        {raisedAt && <FieldDisplay field={raisedAt} path="raisedAt" row={row} place="link" />}
      </Link>
    </li>
  )
}
