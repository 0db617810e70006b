import { Suspense } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { DisplayProps } from '#fields/field-kind.ts'
import { valueAt } from '#schema/rule.ts'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'

/** Lazy: few records have bars, and every record has lists. */
const Bars = lazyCode(() => import('./bars.tsx').then((module) => ({ default: module.Bars })))

/** The rows of a list in a record: a table, or bars where the definition says so. */
export function ListRows({ field, path, value, draw, write }: DisplayProps<'list'>) {
  const sayLabel = useSay()
  const rows: readonly unknown[] = Array.isArray(value) ? value : []
  const columns = Object.entries(field.fields)
  if (field.bars)
    return (
      <Suspense fallback={null}>
        <Bars field={field} bars={field.bars} rows={rows} write={write} />
      </Suspense>
    )
  return (
    <div className="field-list">
      <table>
        <thead>
          <tr>
            {columns.map(([name, column]) => (
              <th key={name} scope="col">
                {sayLabel(column.label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a list have no identity but their place
            <tr key={index}>
              {columns.map(([name, column]) => (
                <td key={name}>
                  {draw({ field: column, path: `${path}.${index}.${name}`, value: valueAt(item, name), place: 'cell' })}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
