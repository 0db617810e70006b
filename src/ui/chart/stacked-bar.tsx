import type { Tone } from '#ui/theme/tokens.ts'
import './stacked-bar.css'

export type BarPart = { key: string; label: string; count: number; tone: Tone; text: string }

export type StackedBarProps = {
  /** Name of the whole. */
  label: string
  parts: readonly BarPart[]
  /** Draws the numbers on the parts. */
  numbered?: boolean | undefined
}

/** Counts as one stacked bar, with a legend in words: colour is never the only cue. */
export function StackedBar({ label, parts, numbered }: StackedBarProps) {
  const drawn = parts.filter(({ count }) => count > 0)
  return (
    <figure aria-label={label} className={numbered ? 'ui-stack ui-stack-numbered' : 'ui-stack'}>
      <figcaption>{label}</figcaption>
      <div className="ui-stack-bar" aria-hidden="true">
        {drawn.map(({ key, count, tone, text }) => (
          <span key={key} className={`ui-tone-${tone}`} style={{ flexGrow: count }}>
            {numbered && text}
          </span>
        ))}
      </div>
      <ul>
        {drawn.map(({ key, label: name, tone, text }) => (
          <li key={key} className={`ui-tone-${tone}`}>
            {name} <b>{text}</b>
          </li>
        ))}
      </ul>
    </figure>
  )
}
