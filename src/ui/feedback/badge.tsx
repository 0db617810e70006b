import type { Tone } from '#ui/theme/tokens.ts'

export type BadgeProps = {
  count: number
  /** The count as the language writes it; then `max` does not apply. */
  text?: string | undefined
  max?: number | undefined
  tone?: Tone | undefined
  label?: string | undefined
}

/** A small count; above `max` it reads "99+". */
export function Badge({ count, max = 99, text = count > max ? `${max}+` : String(count), tone = 'idle', label }: BadgeProps) {
  return (
    <span className={`ui-badge ui-tone-${tone}`}>
      {text}
      {label && <span className="ui-hidden"> {label}</span>}
    </span>
  )
}
