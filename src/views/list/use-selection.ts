import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Row } from '#fields/field-kind.ts'

export type Selection = {
  keys: ReadonlySet<string>
  rows: ReadonlyMap<string, Row>
  set: (keys: ReadonlySet<string>) => void
  add: (rows: readonly Row[]) => void
  drop: (keys: Iterable<string>) => void
  clear: () => void
}

const none: ReadonlyMap<string, Row> = new Map()
const idOf = (row: Row) => String(row.id)
const pairs = (rows: readonly Row[]) => rows.map((row): [string, Row] => [idOf(row), row])

/** Selected rows, kept across pages, as they were seen last. Another `scope` (conditions of the list) begins with none. */
export function useSelection(shown: readonly Row[] | undefined, scope: string): Selection {
  const [rows, setRows] = useState(none)
  const [known, setKnown] = useState(scope)
  if (scope !== known) {
    setKnown(scope)
    setRows(none)
  }
  useEffect(() => {
    setRows((before) => {
      const changed = shown?.filter((row) => (before.get(idOf(row)) ?? row) !== row) ?? []
      return changed.length > 0 ? new Map([...before, ...pairs(changed)]) : before
    })
  }, [shown])
  const keys = useMemo(() => new Set(rows.keys()), [rows])
  const set = useCallback(
    (next: ReadonlySet<string>) =>
      setRows((before) => {
        const known = new Map([...before, ...pairs(shown ?? [])])
        return new Map([...next].map((key): [string, Row] => [key, known.get(key) ?? { id: key }]))
      }),
    [shown],
  )
  const add = useCallback((more: readonly Row[]) => setRows((before) => new Map([...before, ...pairs(more)])), [])
  const drop = useCallback((keys: Iterable<string>) => {
    const gone = new Set(keys)
    setRows((before) => new Map([...before].filter(([key]) => !gone.has(key))))
  }, [])
  const clear = useCallback(() => setRows(none), [])
  return { keys, rows, set, add, drop, clear }
}
