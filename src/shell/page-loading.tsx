import { ErrorState } from '#ui/feedback/error-state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useOnline } from './use-online.ts'
import { useWords } from './use-words.ts'

/** Shown while a page's chunk or the permissions load. Without a line it says so: the chunk comes when the line is back. */
export function PageLoading() {
  const words = useWords()
  const isOnline = useOnline()
  if (!isOnline) return <ErrorState title={words('errors.waits.title')} subtitle={words('errors.waits.subtitle')} />
  return (
    <div className="shell-loading" aria-busy="true">
      <Skeleton width="14rem" height={28} />
      <Skeleton lines={8} />
    </div>
  )
}
