import type { Field } from '#schema/field-types.ts'
import { isEmpty } from '#schema/form/is-empty.ts'
import { valueAt } from '#schema/rule.ts'
import { say } from '#schema/words.ts'
import { useConsole, useSay } from './definitions.tsx'
import type { Place, Row } from './field-kind.ts'
import { fieldText } from './field-text.ts'
import { fieldKindOf } from './registry.ts'
import { fieldWords } from './words.ts'

export type FieldDisplayProps = {
  field: Field
  /** Path of the value in the row: `counts.boards`. */
  path: string
  row: Row
  /** Overrides the row's value at the path. */
  value?: unknown
  place?: Place
}

function NoValue() {
  const sayLabel = useSay()
  return (
    <span className="field-none">
      <span aria-hidden="true">—</span>
      <span className="ui-hidden">{sayLabel(fieldWords.none)}</span>
    </span>
  )
}

/** A record's value, rendered by its type; an empty value is a dash with an accessible name. */
export function FieldDisplay({ field, path, row, value = valueAt(row, path), place = 'cell' }: FieldDisplayProps) {
  const wording = useConsole()
  if (isEmpty(value)) return field.none ? say(field.none, wording.language) : <NoValue />
  const { Display } = fieldKindOf(field)
  return (
    <Display
      {...{ field, path, value, row, place }}
      draw={(part) => <FieldDisplay key={part.path} {...part} row={row} />}
      write={(part, inner) => fieldText(part, inner, wording)}
    />
  )
}
