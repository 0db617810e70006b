import { Skeleton } from '#ui/feedback/skeleton.tsx'

/** Shown while a page's chunk or the permissions load. */
export function PageLoading() {
  return (
    <div className="shell-loading" aria-busy="true">
      <Skeleton width="14rem" height={28} />
      <Skeleton lines={8} />
    </div>
  )
}
