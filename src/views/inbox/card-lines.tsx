import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldOf, listOf, titleOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'

/** The two lines of a row: as the definition says, else its title and its first state. */
export function cardOf(resource: AnyResource): readonly (readonly string[])[] {
  const { card } = resource.list ?? {}
  if (card) return card
  const title = titleOf(resource)
  const { columns } = listOf(resource)
  const state = columns.find((path) => path !== title && fieldOf(resource, path)?.type === 'status')
  const second = state ?? columns.find((path) => path !== title)
  return [[title], second === undefined ? [] : [second]]
}

/** `false` says nothing that is worth a place on a card. */
const isWorth = (value: unknown) => value !== null && value !== undefined && value !== '' && value !== false

/** Fields of a row on its card; those without a value take no place. */
export function CardLines({ resource, row }: { resource: AnyResource; row: Row }) {
  return cardOf(resource).map((paths, index) => (
    <span key={paths.join()} className={index === 0 ? 'view-card-title' : 'view-card-line'}>
      {paths.map((path) => {
        const field = fieldOf(resource, path)
        const value = valueAt(row, path)
        if (!field || !isWorth(value)) return null
        return (
          <span key={path} className="view-card-part">
            <FieldDisplay field={field} path={path} row={row} place="link" />
          </span>
        )
      })}
    </span>
  ))
}
