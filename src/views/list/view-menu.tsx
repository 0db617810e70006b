import { Suspense } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { listWords } from '#views/shared/list-words.ts'
import type { ViewChoicesProps } from './view-choices.tsx'

const ViewChoices = lazyCode(() => import('./view-choices.tsx').then((module) => ({ default: module.ViewChoices })))

/** Button of the view options; the popover is loaded on first use. */
export function ViewMenu(props: ViewChoicesProps) {
  const sayLabel = useSay()
  return (
    <Popover label={sayLabel(listWords.view)} icon="columns" kind="text" align="end">
      <Suspense fallback={<Skeleton lines={5} />}>
        <ViewChoices {...props} />
      </Suspense>
    </Popover>
  )
}
