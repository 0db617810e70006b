import { lazy, Suspense } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { viewWords } from '#views/shared/words.ts'
import type { ViewChoicesProps } from './view-choices.tsx'

const ViewChoices = lazy(() => import('./view-choices.tsx').then((module) => ({ default: module.ViewChoices })))

/** A button whose popover, loaded on first use, says how the list looks. */
export function ViewMenu(props: ViewChoicesProps) {
  const sayLabel = useSay()
  return (
    <Popover label={sayLabel(viewWords.view)} icon="columns" kind="text" align="end">
      <Suspense fallback={<Skeleton lines={5} />}>
        <ViewChoices {...props} />
      </Suspense>
    </Popover>
  )
}
