import { useCallback, useMemo, useState } from 'react'
import type { Row } from '#fields/field-kind.ts'

export type Selection = {
  keys: ReadonlySet<string>
  rows: ReadonlyMap<string, Row>
  set: (keys: ReadonlySet<string>) => void
  add: (rows: readonly Row[]) => void
  clear: () => void
}

const none: ReadonlyMap<string, Row> = new Map()
const idOf = (row: Row) => String(row.id)

/** Selected rows, kept across pages. */
export function useSelection(shown: readonly Row[] | undefined): Selection {
  const [rows, setRows] = useState(none)
  const keys = useMemo(() => new Set(rows.keys()), [rows])
  const set = useCallback(
    (next: ReadonlySet<string>) =>
      setRows((before) => {
        const known = new Map([...before, ...(shown ?? []).map((row): [string, Row] => [idOf(row), row])])
        return new Map([...next].map((key): [string, Row] => [key, known.get(key) ?? { id: key }]))
      }),
    [shown],
  )
  const add = useCallback(
    (more: readonly Row[]) => setRows((before) => new Map([...before, ...more.map((row): [string, Row] => [idOf(row), row])])),
    [],
  )
  const clear = useCallback(() => setRows(none), [])
  return { keys, rows, set, add, clear }
}
