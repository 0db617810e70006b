import type { Tone } from '#ui/theme/tokens.ts'

export type BadgeProps = { count: number; max?: number | undefined; tone?: Tone | undefined; label?: string | undefined }

/** A small count; above `max` it reads "99+". */
export function Badge({ count, max = 99, tone = 'idle', label }: BadgeProps) {
  return (
    <span className={`ui-badge ui-tone-${tone}`}>
      {count > max ? `${max}+` : count}
      {label && <span className="ui-hidden"> {label}</span>}
    </span>
  )
}
