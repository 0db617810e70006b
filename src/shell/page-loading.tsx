import { Skeleton } from '#ui/feedback/skeleton.tsx'

/** While a page's code or its permissions are on the way. */
export function PageLoading() {
  return (
    <div className="shell-loading" aria-busy="true">
      <Skeleton width="14rem" height={28} />
      <Skeleton lines={8} />
    </div>
  )
}
