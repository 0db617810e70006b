import { useConsole, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { isEmpty } from '#schema/form/is-empty.ts'
import { valueAt } from '#schema/rule.ts'

export type ValueCellProps = { field: Field; name: string; row: Row }

/** One value of a configuration. Lists and groups are written out, since a length alone would hide differences. */
export function ValueCell({ field, name, row }: ValueCellProps) {
  const value = row[name]
  const isDeep = field.type === 'list' || field.type === 'group'
  if (!isDeep || isEmpty(value)) return <FieldDisplay field={field} path={name} row={row} />
  return (
    <ul className="configuration-parts">
      {[value].flat().map((item) => (
        <li key={JSON.stringify(item)}>
          <Parts fields={field.fields} value={item} />
        </li>
      ))}
    </ul>
  )
}

function Parts({ fields, value }: { fields: Fields; value: unknown }) {
  const sayLabel = useSay()
  const { language, zone } = useConsole()
  const parts = Object.entries(fields).filter(([name]) => !isEmpty(valueAt(value, name)))
  return parts.map(([name, field], index) => (
    <span key={name}>
      {index > 0 && ' '}
      <span className="configuration-faint">{sayLabel(field.label)}</span>{' '}
      {fieldText(field, valueAt(value, name), { language, zone })}
      {index < parts.length - 1 && ','}
    </span>
  ))
}
