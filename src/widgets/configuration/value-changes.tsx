import { useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { Fields } from '#schema/field-types.ts'
import type { Label } from '#schema/words.ts'
import { Tag } from '#ui/feedback/tag.tsx'
import { configurationWords } from './configuration-words.ts'
import { ValueCell } from './value-cell.tsx'

export type ValueChangesProps = {
  fields: Fields
  names: readonly string[]
  before: Row
  after: Row
  /** Names of protective values. */
  dangers: readonly string[]
  caption: string
}

const columns: readonly Label[] = [configurationWords.field, configurationWords.before, configurationWords.after]

export function ValueChanges({ fields, names, before, after, dangers, caption }: ValueChangesProps) {
  const sayLabel = useSay()
  return (
    <table className="configuration-changes">
      <caption className="ui-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((label) => (
            <th key={label[0]} scope="col">
              {sayLabel(label)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {names.map((name) => {
          const field = fields[name]
          if (!field) return null
          return (
            <tr key={name}>
              <th scope="row">
                {sayLabel(field.label)}
                {dangers.includes(name) && <Tag tone="warn">{sayLabel(configurationWords.protective)}</Tag>}
              </th>
              <td data-label={sayLabel(configurationWords.before)}>
                <ValueCell field={field} name={name} row={before} />
              </td>
              <td data-label={sayLabel(configurationWords.after)}>
                <ValueCell field={field} name={name} row={after} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
