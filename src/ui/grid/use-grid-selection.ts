import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { GridSelection } from './data-grid-types.ts'

export type SelectAll = { isAll: boolean; isSome: boolean; onChange: (isOn: boolean) => void }

/**
 * Selects and deselects rows of the page and keeps the keys of other pages; `toggle` with a range starts at the last toggled
 * row.
 */
export function useGridSelection<Row>(
  rows: readonly Row[] | undefined,
  rowKey: (row: Row) => string,
  selection: GridSelection<Row> | undefined,
) {
  const latest = useRef({ rows, rowKey, selection })
  const lastKey = useRef<string>(undefined)
  useEffect(() => {
    latest.current = { rows, rowKey, selection }
  })

  const toggle = useCallback((key: string, isOn: boolean, isRange: boolean) => {
    const { rows: shown = [], rowKey: keyOf, selection: current } = latest.current
    if (!current) return
    const pageKeys = shown.filter(current.isSelectable ?? (() => true)).map(keyOf)
    const keys = isRange ? between(pageKeys, lastKey.current, key) : [key]
    lastKey.current = key
    current.onChange(withKeys(current.keys, keys, isOn))
  }, [])

  const all = useMemo((): SelectAll | undefined => {
    if (!selection) return undefined
    const pageKeys = (rows ?? []).filter(selection.isSelectable ?? (() => true)).map(rowKey)
    const count = pageKeys.filter((key) => selection.keys.has(key)).length
    return {
      isAll: count > 0 && count === pageKeys.length,
      isSome: count > 0 && count < pageKeys.length,
      onChange: (isOn) => selection.onChange(withKeys(selection.keys, pageKeys, isOn)),
    }
  }, [rows, rowKey, selection])

  return { all, toggle }
}

function withKeys(before: ReadonlySet<string>, keys: readonly string[], isOn: boolean): ReadonlySet<string> {
  const after = new Set(before)
  for (const key of keys) {
    if (isOn) after.add(key)
    else after.delete(key)
  }
  return after
}

function between(keys: readonly string[], from: string | undefined, to: string): readonly string[] {
  const start = from === undefined ? -1 : keys.indexOf(from)
  const end = keys.indexOf(to)
  if (start < 0 || end < 0) return [to]
  return keys.slice(Math.min(start, end), Math.max(start, end) + 1)
}
