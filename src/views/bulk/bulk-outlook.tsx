import { useId } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { checkWords } from '#views/form/checks/check-words.ts'
import { useRowTitle } from '#views/list/use-row-title.ts'
import { bulkWords } from './bulk-words.ts'
import { type BulkForecast, maxChecked, type Reason } from './use-bulk-outlook.ts'

const mostNames = 3

export type BulkOutlookProps = { resource: AnyResource; forecast: BulkForecast }

/** Shows before the action runs how many of the selected records accept it, and the reasons for the others. */
export function BulkOutlook({ resource, forecast }: BulkOutlookProps) {
  const sayLabel = useSay()
  const { count, can, out, reasons, refusal, isFetching, isError, isUnchecked } = forecast
  return (
    <div className="view-outlook" aria-live="polite">
      {isFetching && <Skeleton lines={1} height={40} />}
      {!isFetching && can !== undefined && (
        <Banner tone={can === count ? 'good' : 'warn'}>{refusal ?? sayLabel(bulkWords.can, { can, count })}</Banner>
      )}
      {!isFetching && can === undefined && out > 0 && <Banner tone="warn">{sayLabel(bulkWords.cannot, { count: out })}</Banner>}
      {isError && <Banner tone="warn">{sayLabel(checkWords.unknown)}</Banner>}
      {isUnchecked && <p>{sayLabel(bulkWords.unchecked, { max: maxChecked })}</p>}
      <Reasons resource={resource} reasons={reasons} />
    </div>
  )
}

function Reasons({ resource, reasons }: { resource: AnyResource; reasons: readonly Reason[] }) {
  const sayLabel = useSay()
  const rowTitle = useRowTitle(resource)
  const headId = useId()
  if (reasons.length === 0) return null
  const namesOf = (rows: readonly Row[]) => {
    const names = rows.slice(0, mostNames).map(rowTitle).join(', ')
    return rows.length > mostNames ? sayLabel(bulkWords.among, { names, more: rows.length - mostNames }) : names
  }
  return (
    <>
      <p id={headId}>{sayLabel(bulkWords.reasons)}</p>
      <ul aria-labelledby={headId}>
        {reasons.map(({ text, rows }) => (
          <li key={text}>
            <b>{rows.length}</b> {text} <small>{namesOf(rows)}</small>
          </li>
        ))}
      </ul>
    </>
  )
}
