import { useSay } from '#fields/definitions.tsx'
import type { Fields } from '#schema/field-types.ts'
import { formWords } from './form-words.ts'
import './fill-note.css'

/** Lists the values that differ from the picked record: filling never replaces typed values. */
export function FillNote({ fields, kept }: { fields: Fields; kept: readonly string[] }) {
  const sayLabel = useSay()
  const names = kept.flatMap((name) => (fields[name] ? [sayLabel(fields[name].label)] : [])).join(', ')
  return (
    <p className="form-note" role="status">
      {names ? sayLabel(formWords.kept, { fields: names }) : sayLabel(formWords.filled)}
    </p>
  )
}
