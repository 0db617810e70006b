import { useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { holdsDanger } from '#schema/danger-in.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Tag } from '#ui/feedback/tag.tsx'
import { Checkbox } from '#ui/input/checkbox.tsx'
import { Card } from '#ui/layout/card.tsx'
import { groupsOf } from './field-groups.ts'
import { isOfServer, type Twin } from './twin.ts'
import { twinWords } from './twin-words.ts'
import { ValueCell } from './value-cell.tsx'

export type ValueTableProps = { twin: Twin; fields: Fields }

/** Every setting: desired, reported and default value. */
export function ValueTable({ twin, fields }: ValueTableProps) {
  const sayLabel = useSay()
  const [isShort, setShort] = useState(false)
  const differs = new Set(twin.drift)
  const groups = groupsOf(fields)
    .map((group) => ({ ...group, names: isShort ? group.names.filter((name) => differs.has(name)) : group.names }))
    .filter(({ names }) => names.length > 0)
  const toggle = (
    <Checkbox checked={isShort} onChange={setShort}>
      {sayLabel(twinWords.onlyDiffering)} ({differs.size})
    </Checkbox>
  )
  return (
    <Card flush title={sayLabel(twinWords.values)} actions={toggle}>
      {groups.length === 0 ? (
        <EmptyState
          icon="check"
          title={sayLabel(twinWords.sameTitle)}
          text={sayLabel(twin.reported ? twinWords.sameText : twinWords.notSaid)}
        />
      ) : (
        <table className="twin-values">
          <caption className="ui-hidden">{sayLabel(twinWords.values)}</caption>
          <thead>
            <tr>
              {(['field', 'desired', 'reported', 'usual'] as const).map((key) => (
                <th key={key} scope="col">
                  {sayLabel(twinWords[key])}
                </th>
              ))}
            </tr>
          </thead>
          {groups.map(({ label, names }) => (
            <tbody key={label[0]}>
              <tr className="twin-group">
                <th scope="rowgroup" colSpan={4}>
                  {sayLabel(label)}
                </th>
              </tr>
              {names.map((name) => {
                const field = fields[name]
                return field && <ValueRow key={name} {...{ name, field, twin }} isDifferent={differs.has(name)} />
              })}
            </tbody>
          ))}
        </table>
      )}
    </Card>
  )
}

type ValueRowProps = { name: string; field: Field; twin: Twin; isDifferent: boolean }

function ValueRow({ name, field, twin, isDifferent }: ValueRowProps) {
  const sayLabel = useSay()
  return (
    <tr className={isDifferent ? 'twin-differs' : undefined}>
      <th scope="row">
        {sayLabel(field.label)}
        {twin.danger.fields.includes(name) && holdsDanger(field, twin.desired[name]) && (
          <Tag>{sayLabel(twinWords.protective)}</Tag>
        )}
      </th>
      <td data-label={sayLabel(twinWords.desired)}>
        <ValueCell field={field} name={name} row={twin.desired} />
      </td>
      <td data-label={sayLabel(twinWords.reported)}>
        <Reported {...{ name, field, twin }} />
        {isDifferent && <Tag tone="warn">{sayLabel(twinWords.differs)}</Tag>}
      </td>
      <td data-label={sayLabel(twinWords.usual)}>
        <ValueCell field={field} name={name} row={twin.defaults} />
      </td>
    </tr>
  )
}

function Reported({ name, field, twin }: Omit<ValueRowProps, 'isDifferent'>) {
  const sayLabel = useSay()
  if (isOfServer(name)) return <span className="twin-faint">{sayLabel(twinWords.byServer)}</span>
  if (!twin.reported) return <span className="twin-faint">{sayLabel(twinWords.notSaid)}</span>
  return <ValueCell field={field} name={name} row={twin.reported} />
}
