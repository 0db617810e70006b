import type { Evaluation, OpenWarning } from '#server/fleet/warning/evaluate.ts'

type Known = Pick<OpenWarning, 'code' | 'subject'>

const keys = new WeakMap<Known, string>()

/** Made once for a warning: each frame asks for those of all that are open. */
export function keyOf(one: Known): string {
  const key = keys.get(one) ?? JSON.stringify([one.code, one.subject])
  keys.set(one, key)
  return key
}

/**
 * Keys of the open warnings whose condition held at the last frame that told of it. Their last time is written when it ends, and not at
 * each frame.
 */
export type Held = ReadonlySet<string>

/** The same after a frame; `open`: the warnings that are open after it. */
export function heldAfter(held: Held, { seen, gone }: Evaluation, raised: readonly Known[], open: readonly Known[]): Held {
  const over = new Set(gone.map(keyOf))
  const holding = new Set([...held, ...seen.map(keyOf), ...raised.map(keyOf)])
  return new Set(
    open
      .map(keyOf)
      .filter((key) => holding.has(key) && !over.has(key))
      .toSorted(),
  )
}
