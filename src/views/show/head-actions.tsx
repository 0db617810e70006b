import { useNavigate } from 'react-router'
import { useMay, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Button } from '#ui/input/button.tsx'
import type { MenuEntry } from '#ui/overlay/menu.tsx'
import { ActionButtons } from '#views/actions/action-buttons.tsx'
import { isChangeable, recordOffers } from '#views/actions/action-offer.ts'
import { useActionContext } from '#views/actions/use-action-context.ts'
import { useDelete, useMayDelete } from '#views/actions/use-delete.ts'
import { editPath, listPath } from '#views/shared/paths.ts'
import { viewWords } from '#views/shared/words.ts'

export function HeadActions({ resource, record }: { resource: AnyResource; record: Row }) {
  const sayLabel = useSay()
  const may = useMay()
  const actionContext = useActionContext()
  const navigate = useNavigate()
  const remove = useDelete(resource)
  const { context } = actionContext()
  const mayDelete = useMayDelete(resource) && isChangeable(resource, 'delete', record, context)
  const mayEdit = may(resource.name, 'edit') && isChangeable(resource, 'edit', record, context)
  const entries: MenuEntry[] = mayDelete
    ? [
        {
          key: 'delete',
          label: sayLabel(viewWords.delete),
          icon: 'trash',
          danger: true,
          onSelect: () => remove(record, () => navigate(listPath(resource))),
        },
      ]
    : []
  return (
    <>
      {mayEdit && (
        <Button icon="edit" href={editPath(resource, String(record.id))}>
          {sayLabel(viewWords.edit)}
        </Button>
      )}
      <ActionButtons offers={recordOffers(resource, record, actionContext())} entries={entries} />
    </>
  )
}
