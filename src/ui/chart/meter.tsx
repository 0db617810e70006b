import type { Tone } from '#ui/theme/tokens.ts'

export type MeterProps = {
  /** 0 to 100. */
  value: number
  label: string
  /** Announced value with its unit. */
  text: string
  tone?: Tone | undefined
  /** A marker at a significant level, 0 to 100. */
  mark?: { at: number; title: string } | undefined
  /** It shows progress, not a level. */
  isProgress?: boolean | undefined
}

/** A fill level or progress. */
export function Meter({ value, label, text, tone = 'info', mark, isProgress }: MeterProps) {
  const shown = Math.min(100, Math.max(0, value))
  const aria = {
    role: isProgress ? 'progressbar' : 'meter',
    'aria-label': label,
    'aria-valuenow': shown,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuetext': text,
  }
  return (
    <div className={`ui-meter ui-tone-${tone}`} {...aria}>
      <span className="ui-meter-fill" style={{ width: `${shown}%` }} />
      {mark && <span className="ui-meter-mark" style={{ insetInlineStart: `${mark.at}%` }} title={mark.title} />}
    </div>
  )
}
