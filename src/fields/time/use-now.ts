import { useSyncExternalStore } from 'react'
import { presentMs } from '#schema/format/present-time.ts'

const stepMs = 30_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let nowMs = presentMs()

function tick(): void {
  nowMs = presentMs()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    nowMs = presentMs()
    timer = setInterval(tick, stepMs)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/**
 * Clamps `now` for a relative time: the screen clock moves in steps, so a fresh timestamp may be ahead of it by up to one step.
 */
export const clampedNow = (timeMs: number, present: number): number =>
  timeMs > present && timeMs - present <= stepMs ? timeMs : present

/** Follows at once when the server's clock becomes known. */
function present(): number {
  if (Math.abs(presentMs() - nowMs) > 2 * stepMs) nowMs = presentMs()
  return nowMs
}

/** The current time in ms, updated every 30 s by one timer for all subscribers. */
export const useNow = (): number => useSyncExternalStore(subscribe, present, present)
