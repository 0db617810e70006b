import { useCallback } from 'react'
import { useConsole, useDefinition, useMay, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { formatNumber } from '#schema/format/format.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Badge } from '#ui/feedback/badge.tsx'
import { Button } from '#ui/input/button.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { ActionButtons } from '#views/actions/action-buttons.tsx'
import { bulkActions, listOffers, recordOffers } from '#views/actions/action-offer.ts'
import { useActionContext } from '#views/actions/use-action-context.ts'
import { useDelete, useMayDelete } from '#views/actions/use-delete.ts'
import { Forbidden } from '#views/screens.tsx'
import { listWords } from '#views/shared/list-words.ts'
import { createPath } from '#views/shared/paths.ts'
import { viewWords } from '#views/shared/words.ts'
import { ListView } from './list-view.tsx'

export type ListPageProps = { resource: string }

export function ListPage({ resource: name }: ListPageProps) {
  const resource = useDefinition(name)
  const may = useMay()
  if (!may(name, 'list')) return <Forbidden />
  return <Listed key={name} resource={resource} />
}

function Listed({ resource }: { resource: AnyResource }) {
  const sayLabel = useSay()
  const { language } = useConsole()
  const may = useMay()
  const actionContext = useActionContext()
  const title = sayLabel(resource.label.many)
  const remove = useDelete(resource)
  const mayDelete = useMayDelete(resource)
  const rowOffers = useCallback((row: Row) => recordOffers(resource, row, actionContext()), [resource, actionContext])
  const create = may(resource.name, 'create') && (
    <Button kind="primary" icon="plus" href={createPath(resource)}>
      {sayLabel(viewWords.create)}
    </Button>
  )
  const bringIn = may(resource.name, 'import') && (
    <Button icon="upload" href={`/filling?target=${resource.name}`}>
      {sayLabel(listWords.import)}
    </Button>
  )
  const head = (total: number | undefined) => (
    <PageHeader
      title={title}
      status={
        total === undefined || total === Infinity ? undefined : (
          <Badge count={total} text={formatNumber(total, 0, language)} label={sayLabel(listWords.inTotal)} />
        )
      }
      actions={
        <>
          <ActionButtons offers={listOffers(resource, actionContext())} />
          {bringIn}
          {create}
        </>
      }
    />
  )
  return (
    <ListView
      resource={resource}
      label={title}
      head={head}
      hasViews
      rowOffers={rowOffers}
      onEdit={may(resource.name, 'edit')}
      onDelete={mayDelete ? remove : undefined}
      hasBulk={bulkActions(resource, actionContext().permissions).length > 0}
      create={create}
    />
  )
}
