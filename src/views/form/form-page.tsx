import { useMemo } from 'react'
import { useLocation, useParams } from 'react-router'
import { useDefinition, useLanguage, useMay, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { pathOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Breadcrumbs } from '#ui/layout/breadcrumbs.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Forbidden, LoadFailed, NoId } from '#views/screens.tsx'
import { listPath, recordPath } from '#views/shared/paths.ts'
import { shownTitle } from '#views/shared/shown-title.ts'
import { useRecord } from '#views/shared/use-record.ts'
import { viewWords } from '#views/shared/words.ts'
import { CreateInTab } from './create-in-tab.tsx'
import { formWords } from './form-words.ts'
import { pickedStart } from './picked-rows.ts'
import { RecordForm } from './record-form.tsx'
import { tabParam } from './tab-address.ts'

export type FormPageProps = { resource: string; action: 'create' | 'edit' }

/** Create and edit page of a record; the address holds the id. */
export function FormPage({ resource: name, action }: FormPageProps) {
  const resource = useDefinition(name)
  const may = useMay()
  const { id } = useParams()
  const place = new URLSearchParams(useLocation().search).get(tabParam)
  if (!may(name, action)) return <Forbidden />
  if (action === 'create' && place !== null) return <CreateInTab key={`${name} ${place}`} resource={resource} address={place} />
  if (action === 'create') return <CreateForm key={name} resource={resource} />
  if (!id?.trim()) return <NoId />
  return <EditForm key={`${name} ${id}`} resource={resource} id={id} />
}

function CreateForm({ resource }: { resource: AnyResource }) {
  const sayLabel = useSay()
  const { state } = useLocation()
  const start = useMemo(() => pickedStart(resource, state), [resource, state])
  const title = sayLabel(formWords.newRecord, { name: sayLabel(resource.label.one) })
  return (
    <>
      <FormHead resource={resource} title={title} />
      <RecordForm resource={resource} start={start} cancelPath={listPath(resource)} />
    </>
  )
}

function EditForm({ resource, id }: { resource: AnyResource; id: string }) {
  const sayLabel = useSay()
  const language = useLanguage()
  const { record, isPartial, error, retry } = useRecord(resource.name, id)
  if (error && !record) return <LoadFailed error={error} onRetry={retry} />
  const title = shownTitle(resource, record, language) ?? '…'
  const back = pathOf(resource, 'show') ? recordPath(resource, id) : listPath(resource)
  return (
    <>
      <FormHead resource={resource} title={sayLabel(formWords.editRecord, { title })} record={record} />
      {/* Waits for the full record: a list row lacks fields, which the form would take for empty. */}
      {record && !isPartial ? (
        <RecordForm resource={resource} record={record} cancelPath={back} />
      ) : (
        <Skeleton lines={8} height={20} />
      )}
    </>
  )
}

type FormHeadProps = { resource: AnyResource; title: string; record?: Row | undefined }

function FormHead({ resource, title, record }: FormHeadProps) {
  const sayLabel = useSay()
  const own = shownTitle(resource, record, useLanguage())
  const crumbs = [
    { label: sayLabel(resource.label.many), href: listPath(resource) },
    ...(record && own ? [{ label: own, href: recordPath(resource, String(record.id)) }] : []),
    { label: sayLabel(record ? viewWords.edit : viewWords.create) },
  ]
  return <PageHeader title={title} breadcrumbs={<Breadcrumbs label={sayLabel(viewWords.path)} items={crumbs} />} />
}
