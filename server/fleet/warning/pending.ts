import type { Level } from '#resources/fleet/warnings/levels.ts'
import type { Moment } from './evaluate.ts'
import type { SampleRule } from './sample-rules.ts'

/**
 * Since when a level has been reached, and when it was last observed, in epoch milliseconds of the board's time. `isTold`: an event named
 * the beginning, and another one or the next sample tells the end.
 */
export type Pending = { sinceMs: number; seenMs: number; subject?: string; isTold?: true }

export const nonePending: Record<string, Pending> = Object.freeze({})

type Entry = [string, Pending]
const byCode = new WeakMap<object, ReadonlyMap<string, Entry[]>>()

/** Grouped once for all rules of a moment. */
function groupsOf(pending: Record<string, Pending>): ReadonlyMap<string, Entry[]> {
  const known = byCode.get(pending)
  if (known) return known
  const groups = new Map<string, Entry[]>()
  for (const entry of Object.entries(pending)) {
    const code = entry[0].slice(0, entry[0].indexOf(' '))
    const group = groups.get(code)
    if (group) group.push(entry)
    else groups.set(code, [entry])
  }
  byCode.set(pending, groups)
  return groups
}

/** Pending conditions of a code, unless interrupted by silence; what an event told lasts until the board says otherwise. */
export function pendingOf({ memory: { pending }, atMs, silenceMs }: Moment, code: string): Record<string, Pending> {
  const own = pending && groupsOf(pending).get(code)
  if (!own) return nonePending
  const lasts = ({ seenMs, isTold }: Pending) => isTold || atMs - seenMs <= silenceMs
  return Object.fromEntries(own.filter(([, one]) => lasts(one)))
}

/** Key of a pending level, at one place or at any. */
export const pendingKey = ({ code }: SampleRule, { severity }: Level, place?: string | null): string =>
  [code, severity, place].filter(Boolean).join(' ')
