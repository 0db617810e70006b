import { useNavigate } from 'react-router'
import { useMay, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Button } from '#ui/input/button.tsx'
import { useNarrow } from '#ui/layout/use-narrow.ts'
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
  const offers = recordOffers(resource, record, actionContext())
  // On a phone one button, and the others in the menu.
  const isShort = useNarrow() && offers.length > 0
  const edit = mayEdit && {
    href: editPath(resource, String(record.id)),
    icon: 'edit' as const,
    label: sayLabel(viewWords.edit),
  }
  const entries: MenuEntry[] = [
    ...(edit && isShort ? [{ key: 'edit', ...edit }] : []),
    ...(mayDelete
      ? [
          {
            key: 'delete',
            label: sayLabel(viewWords.delete),
            icon: 'trash' as const,
            danger: true,
            onSelect: () => remove(record, () => navigate(listPath(resource))),
          },
        ]
      : []),
  ]
  return (
    <>
      {edit && !isShort && (
        <Button icon={edit.icon} href={edit.href}>
          {edit.label}
        </Button>
      )}
      <ActionButtons offers={offers} shown={isShort ? 1 : 2} entries={entries} />
    </>
  )
}
