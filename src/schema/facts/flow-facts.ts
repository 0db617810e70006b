import type { Label } from '#schema/words.ts'

/** One line of a flow: a power that enters or leaves the whole. */
export type FlowPart = {
  /** Icon of the line. */
  icon: string
  /** Its colour; default: the accent. */
  tone?: 'idle' | 'info' | 'good' | 'warn' | 'bad'
  /** A positive value leaves the whole; default: it enters. */
  consumes?: true
  /** Word for a positive value. */
  positive?: Label
  /** Word for a negative value. */
  negative?: Label
}

/** Quantities of one unit, drawn in a line as what enters and leaves a whole, in the order of `parts`. */
export type Flow = {
  /** Values below are noise: the line is at rest. */
  restBelow?: number
  /** The lines by part of the group. */
  parts: Readonly<Record<string, FlowPart>>
}
