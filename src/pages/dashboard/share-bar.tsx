import type { Tone } from '#ui/theme/tokens.ts'

export type Share = { key: string; label: string; count: number; tone: Tone }

const height = 8

/** A stacked bar with a text legend. */
export function ShareBar({ label, shares }: { label: string; shares: readonly Share[] }) {
  const total = shares.reduce((sum, { count }) => sum + count, 0)
  let start = 0
  return (
    <svg
      className="dash-share"
      role="img"
      aria-label={`${label}. ${shares.map((share) => `${share.label}: ${share.count}`).join(', ')}`}
      viewBox={`0 0 ${Math.max(total, 1)} ${height}`}
      preserveAspectRatio="none"
    >
      {shares.map(({ key, count, tone }) => {
        const at = start
        start += count
        return <rect key={key} className={`dash-fill-${tone}`} x={at} y={0} width={count} height={height} />
      })}
    </svg>
  )
}
