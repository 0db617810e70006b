import type { ReactNode } from 'react'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { type CardPaths, cardOf } from './card-of.ts'
import './cards.css'

type CardLinesProps = {
  resource: AnyResource
  row: Row
  lines?: CardPaths
  /** Replaces the field's own rendering, where it answers. */
  draw?: (path: string, row: Row) => ReactNode
}

/** `false` and a count of zero are not worth space on a card. */
const isWorth = (value: unknown, { type }: Field) =>
  value !== null && value !== undefined && value !== '' && value !== false && !(type === 'count' && value === 0)

/** Fields of a row on its card; empty ones are skipped. The first value of a line may wrap, the others need room beside it. */
export function CardLines({ resource, row, lines = cardOf(resource), draw }: CardLinesProps) {
  const drawn = (path: string): ReactNode => {
    const field = fieldOf(resource, path)
    if (!field || !isWorth(valueAt(row, path), field)) return null
    return draw?.(path, row) ?? <FieldDisplay field={field} path={path} row={row} place="link" />
  }
  const partsOf = (paths: readonly string[]) =>
    paths.flatMap((path) => {
      const part = drawn(path)
      return part
        ? [
            <span key={path} className="view-card-part">
              {part}
            </span>,
          ]
        : []
    })
  const [title, second] = lines
  const [first, ...others] = partsOf(second)
  return (
    <>
      <span className="view-card-title">{partsOf(title)}</span>
      {first && (
        <span className="view-card-line">
          {first}
          <span className="view-card-others">{others}</span>
        </span>
      )}
    </>
  )
}
