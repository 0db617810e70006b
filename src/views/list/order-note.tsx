import { useSay } from '#fields/definitions.tsx'
import { fieldOf, listOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Icon } from '#ui/icon/icon.tsx'
import { Link } from '#ui/layout/link.tsx'
import { listWords } from '#views/shared/list-words.ts'
import type { ListQueryControl } from './use-list-query.ts'
import './order-note.css'

/** Names a default order that no column shows; from another order it links back. */
export function OrderNote({ resource, query }: { resource: AnyResource; query: ListQueryControl }) {
  const sayLabel = useSay()
  const { sort } = listOf(resource)
  const field = fieldOf(resource, sort.field)
  if (!field?.sortOnly) return null
  const order = sayLabel(field.label)
  const isThis = query.state.sort[0]?.field === sort.field
  return (
    <p className="view-order">
      <Icon name="sort" sizePx={14} />
      {isThis ? (
        <span>
          <strong>{order}.</strong> <span className="view-order-help">{field.help && sayLabel(field.help)}</span>
        </span>
      ) : (
        <Link href={query.href({ sort: [sort] })}>{sayLabel(listWords.backToOrder, { order })}</Link>
      )}
    </p>
  )
}
