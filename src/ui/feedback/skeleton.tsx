export type SkeletonProps = {
  width?: number | string | undefined
  height?: number | string | undefined
  /** More than one line: the last is shorter. */
  lines?: number | undefined
}

/** A grey placeholder for content that is loading. */
export function Skeleton({ width = '100%', height = 12, lines = 1 }: SkeletonProps) {
  return (
    <span className="ui-skeleton-lines" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => line).map((line) => (
        <span key={line} className="ui-skeleton" style={{ width: lines > 1 && line === lines - 1 ? '60%' : width, height }} />
      ))}
    </span>
  )
}
