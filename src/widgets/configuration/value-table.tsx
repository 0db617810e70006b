import { useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { groupsOf } from '#resources/fleet/configuration-groups.ts'
import { holdsDanger } from '#schema/danger-part.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Tag } from '#ui/feedback/tag.tsx'
import { Checkbox } from '#ui/input/checkbox.tsx'
import { Card } from '#ui/layout/card.tsx'
import { type ConfigurationSync, isServerSetting } from './configuration-sync.ts'
import { configurationWords } from './configuration-words.ts'
import { ValueCell } from './value-cell.tsx'

export type ValueTableProps = { sync: ConfigurationSync; fields: Fields }

/** Every setting: desired, reported and default value. */
export function ValueTable({ sync, fields }: ValueTableProps) {
  const sayLabel = useSay()
  const [isShort, setShort] = useState(false)
  const differs = new Set(sync.drift)
  const groups = groupsOf(fields)
    .map(({ label, fields: names }) => ({ label, names: isShort ? names.filter((name) => differs.has(name)) : names }))
    .filter(({ names }) => names.length > 0)
  const toggle = (
    <Checkbox checked={isShort} onChange={setShort}>
      {sayLabel(configurationWords.onlyDiffering)} ({differs.size})
    </Checkbox>
  )
  return (
    <Card flush title={sayLabel(configurationWords.values)} actions={toggle}>
      {groups.length === 0 ? (
        <EmptyState
          icon="check"
          title={sayLabel(configurationWords.sameTitle)}
          text={sayLabel(sync.reported ? configurationWords.sameText : configurationWords.notSaid)}
        />
      ) : (
        <table className="configuration-values">
          <caption className="ui-hidden">{sayLabel(configurationWords.values)}</caption>
          <thead>
            <tr>
              {(['field', 'desired', 'reported', 'usual'] as const).map((key) => (
                <th key={key} scope="col">
                  {sayLabel(configurationWords[key])}
                </th>
              ))}
            </tr>
          </thead>
          {groups.map(({ label, names }) => (
            <tbody key={label[0]}>
              <tr className="configuration-group">
                <th scope="rowgroup" colSpan={4}>
                  {sayLabel(label)}
                </th>
              </tr>
              {names.map((name) => {
                const field = fields[name]
                return field && <ValueRow key={name} {...{ name, field, sync }} isDifferent={differs.has(name)} />
              })}
            </tbody>
          ))}
        </table>
      )}
    </Card>
  )
}

type ValueRowProps = { name: string; field: Field; sync: ConfigurationSync; isDifferent: boolean }

function ValueRow({ name, field, sync, isDifferent }: ValueRowProps) {
  const sayLabel = useSay()
  return (
    <tr className={isDifferent ? 'configuration-differs' : undefined}>
      <th scope="row">
        {sayLabel(field.label)}
        {sync.danger.fields.includes(name) && holdsDanger(field, sync.desired[name]) && (
          <Tag>{sayLabel(configurationWords.protective)}</Tag>
        )}
      </th>
      <td data-label={sayLabel(configurationWords.desired)}>
        <ValueCell field={field} name={name} row={sync.desired} />
      </td>
      <td data-label={sayLabel(configurationWords.reported)}>
        <Reported {...{ name, field, sync }} />
        {isDifferent && <Tag tone="warn">{sayLabel(configurationWords.differs)}</Tag>}
      </td>
      <td data-label={sayLabel(configurationWords.usual)}>
        <ValueCell field={field} name={name} row={sync.defaults} />
      </td>
    </tr>
  )
}

function Reported({ name, field, sync }: Omit<ValueRowProps, 'isDifferent'>) {
  const sayLabel = useSay()
  if (isServerSetting(name)) return <span className="configuration-faint">{sayLabel(configurationWords.byServer)}</span>
  if (!sync.reported) return <span className="configuration-faint">{sayLabel(configurationWords.notSaid)}</span>
  return <ValueCell field={field} name={name} row={sync.reported} />
}
