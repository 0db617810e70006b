import { useMemo } from 'react'
import { useConsole, useRuleContext, useSay } from '#fields/definitions.tsx'
import { mayInTab } from '#schema/form/tab-links.ts'
import { isAllowed } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Breadcrumbs } from '#ui/layout/breadcrumbs.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Forbidden, LoadFailed, NotFound } from '#views/screens.tsx'
import { listPath, recordPath } from '#views/shared/paths.ts'
import { shownTitle } from '#views/shared/shown-title.ts'
import { useRecord } from '#views/shared/use-record.ts'
import { viewWords } from '#views/shared/words.ts'
import { formStart } from './form-start.ts'
import { formWords } from './form-words.ts'
import { RecordForm } from './record-form.tsx'
import { newestPath, type RecordTab, tabIn } from './tab-address.ts'

export type CreateInTabProps = { resource: AnyResource; address: string }

/** Create form opened from a record's tab: the new row references that record, and saving leads back to the tab. */
export function CreateInTab({ resource, address }: CreateInTabProps) {
  const { definitions, permissions, viewer } = useConsole()
  const place = useMemo(() => tabIn(definitions, resource, address), [definitions, resource, address])
  if (!place) return <NotFound />
  const { parent, tab } = place
  const isOpen = isAllowed(permissions, parent.name, 'show') && (tab.roles?.includes(viewer.role) ?? true)
  if (!isOpen || !mayInTab(permissions, definitions, place, 'create')) return <Forbidden />
  return <PlacedForm resource={resource} place={place} />
}

function PlacedForm({ resource, place }: { resource: AnyResource; place: RecordTab }) {
  const sayLabel = useSay()
  const { definitions, language } = useConsole()
  const ruleContext = useRuleContext()
  const { parent, id, name, tab } = place
  const { record, isPartial, error, retry } = useRecord(parent.name, id)
  const whole = isPartial ? undefined : record
  const start = useMemo(
    () => whole && formStart(definitions, { place, record: whole, back: newestPath(resource, place) }, ruleContext()),
    [definitions, place, whole, resource, ruleContext],
  )
  if (error && !record) return <LoadFailed error={error} onRetry={retry} />
  if (!whole) return <Skeleton lines={8} height={20} />
  if (!start) return <NotFound />
  const tabPath = recordPath(parent, id, name)
  const crumbs = [
    { label: sayLabel(parent.label.many), href: listPath(parent) },
    { label: shownTitle(parent, whole, language) ?? id, href: recordPath(parent, id) },
    { label: sayLabel(tab.label), href: tabPath },
    { label: sayLabel(viewWords.create) },
  ]
  return (
    <>
      <PageHeader
        title={sayLabel(formWords.newRecord, { name: sayLabel(resource.label.one) })}
        breadcrumbs={<Breadcrumbs label={sayLabel(viewWords.path)} items={crumbs} />}
      />
      <RecordForm resource={resource} start={start} cancelPath={tabPath} />
    </>
  )
}
