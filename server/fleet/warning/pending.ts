import type { Level } from '#resources/fleet/warnings/levels.ts'
import type { Moment } from './evaluate.ts'
import type { SampleRule } from './sample-rules.ts'

/**
 * Since when a level has been reached, and when it was last observed, in epoch milliseconds of the board's time. `isTold`: an event named
 * the beginning, and another one or the next sample tells the end.
 */
export type Pending = { sinceMs: number; seenMs: number; subject?: string; isTold?: true }

const isOf = (code: string) => (key: string) => key.startsWith(`${code} `)

export const nonePending: Record<string, Pending> = Object.freeze({})

/** Pending conditions of a code, unless interrupted by silence; what an event told lasts until the board says otherwise. */
export function pendingOf({ memory: { pending }, atMs, silenceMs }: Moment, code: string): Record<string, Pending> {
  if (!pending) return nonePending
  const isOwn = isOf(code)
  const lasts = ({ seenMs, isTold }: Pending) => isTold || atMs - seenMs <= silenceMs
  return Object.fromEntries(Object.entries(pending).filter(([key, one]) => isOwn(key) && lasts(one)))
}

/** Key of a pending level, at one place or at any. */
export const pendingKey = ({ code }: SampleRule, { severity }: Level, place?: string | null): string =>
  [code, severity, place].filter(Boolean).join(' ')
