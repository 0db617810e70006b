import { useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { Menu, type MenuEntry } from '#ui/overlay/menu.tsx'
import { useOfferEntries } from '#views/actions/action-buttons.tsx'
import type { ActionOffer } from '#views/actions/action-offer.ts'
import { viewWords } from '#views/shared/words.ts'

export type RowMenuProps = {
  row: Row
  offers: (row: Row) => readonly ActionOffer[]
  /** Edit address; undefined where editing is not permitted. */
  editHref?: string | undefined
  onDelete?: ((row: Row) => void) | undefined
  title: string
}

export function RowMenu({ row, offers, editHref, onDelete, title }: RowMenuProps) {
  const sayLabel = useSay()
  const toEntries = useOfferEntries()
  const rowActions = toEntries(offers(row))
  const edit: MenuEntry[] = editHref ? [{ key: 'edit', label: sayLabel(viewWords.edit), icon: 'edit', href: editHref }] : []
  const remove: MenuEntry[] = onDelete
    ? [
        { key: 'before-delete', separator: true },
        { key: 'delete', label: sayLabel(viewWords.delete), icon: 'trash', danger: true, onSelect: () => onDelete(row) },
      ]
    : []
  const items = [...edit, ...rowActions, ...remove]
  if (items.length === 0) return null
  return <Menu label={`${sayLabel(viewWords.more)}: ${title}`} items={items} size="small" />
}
