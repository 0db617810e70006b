import type { ReactNode } from 'react'
import { classes } from '#ui/theme/classes.ts'
import type { Tone } from '#ui/theme/tokens.ts'

export type StatusDotProps = {
  tone: Tone
  /** Marks an activity in progress. */
  active?: boolean | undefined
  title?: string | undefined
  children: ReactNode
}

/** A dot with its label: colour is never the only cue. */
export function StatusDot({ tone, active, title, children }: StatusDotProps) {
  return (
    <span className={classes('ui-status', active && 'ui-status-active')} title={title}>
      <span className={`ui-dot ui-dot-${tone}`} aria-hidden="true" />
      {children}
    </span>
  )
}
