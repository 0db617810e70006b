import { Suspense, useState } from 'react'
import type { ScreenState } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import type { ListSource } from './refine-query.ts'
import type { Selection } from './use-selection.ts'

const BulkBar = lazyCode(() => import('#views/bulk/bulk-bar.tsx').then((module) => ({ default: module.BulkBar })))

type LazyBulkBarProps = {
  resource: AnyResource
  selection: Selection
  total: number | undefined
  source: ListSource | undefined
  asked: ScreenState
  /** The columns on screen. */
  columns: readonly string[]
}

/** Loaded on the first selection and kept mounted: it shows results after the selection is gone. */
export function LazyBulkBar(props: LazyBulkBarProps) {
  const [isUsed, setUsed] = useState(false)
  if (!isUsed && props.selection.keys.size > 0) setUsed(true)
  return (
    isUsed && (
      <Suspense fallback={null}>
        <BulkBar {...props} />
      </Suspense>
    )
  )
}
