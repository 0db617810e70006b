import { useEffect } from 'react'
import type { Row } from '#fields/field-kind.ts'
import type { AnyResource } from '#schema/resource.ts'
import { DivisionBar } from './division-bar.tsx'
import { OutlookFacts } from './outlook-facts.tsx'
import { useOutlook } from './use-outlook.ts'

export type RecordOutlookProps = {
  resource: AnyResource
  record: Row
  /** Receives the number of records; null when counting failed. */
  onCount?: (count: number | null) => void
}

/** The outlook of a stored record, shown before an action on it. */
export function RecordOutlook({ resource, record, onCount }: RecordOutlookProps) {
  const outlook = useOutlook(resource, record, true)
  const { data, error, isStale } = outlook
  const count = error === undefined ? (isStale ? undefined : data?.count) : null
  useEffect(() => {
    if (count !== undefined) onCount?.(count)
  }, [count, onCount])
  return (
    <>
      <OutlookFacts resource={resource} outlook={outlook} />
      {data &&
        Object.entries(resource.fields).map(([name, field]) =>
          field.type === 'list' && field.divides ? (
            <DivisionBar key={name} field={field} value={record[name]} total={data.count} />
          ) : null,
        )}
    </>
  )
}

export type SectionOutlookProps = Pick<RecordOutlookProps, 'resource' | 'record'> & { names: readonly string[] }

/** The outlook of a stored record below the section of the last field that decides it, as in the form. */
export function SectionOutlook({ names, ...about }: SectionOutlookProps) {
  const last = about.resource.outlook?.values.at(-1)
  return last !== undefined && names.includes(last) && <RecordOutlook {...about} />
}
