import { useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldOf, listOf } from '#schema/definition.ts'
import type { Sort } from '#schema/list-query.ts'
import type { AnyResource, Order } from '#schema/resource.ts'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import { NativeSelect } from '#ui/input/native-select.tsx'
import { listWords } from '#views/shared/list-words.ts'

type OrderChoiceProps = {
  resource: AnyResource
  columns: readonly GridColumn<Row>[]
  order: Sort | undefined
  onSort: (sort: readonly Sort[]) => void
}

const arrows: Readonly<Record<Order, string>> = { asc: '↑', desc: '↓' }
const keyOf = ({ field, order }: Sort) => `${field} ${order}`

/** Sort menu of a card list: the default order, and each sortable column in both directions. */
export function OrderChoice({ resource, columns, order, onSort }: OrderChoiceProps) {
  const sayLabel = useSay()
  const sortable = columns.filter(({ sort }) => sort !== undefined)
  if (sortable.length === 0) return sayLabel(resource.label.many)
  const orders = [listOf(resource).sort, ...(order ? [order] : [])].concat(
    sortable.flatMap(({ key }): Sort[] => [
      { field: key, order: 'asc' },
      { field: key, order: 'desc' },
    ]),
  )
  const choices = new Map(orders.map((each) => [keyOf(each), each]))
  const options = [...choices].map(([value, each]) => {
    const field = fieldOf(resource, each.field)
    const label = field ? sayLabel(field.label) : each.field
    return { value, label: field?.sortOnly ? label : `${label} ${arrows[each.order]}` }
  })
  const choose = (value: string) => {
    const chosen = choices.get(value)
    if (chosen) onSort([chosen])
  }
  return (
    <NativeSelect
      size="small"
      aria-label={sayLabel(listWords.order)}
      value={keyOf(order ?? listOf(resource).sort)}
      options={options}
      onChange={choose}
    />
  )
}
