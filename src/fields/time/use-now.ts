import { useSyncExternalStore } from 'react'

const stepMs = 30_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let nowMs = Date.now()

function tick(): void {
  nowMs = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    nowMs = Date.now()
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

/** The current time in ms, updated every 30 s by one timer for all subscribers. */
export const useNow = (): number =>
  useSyncExternalStore(
    subscribe,
    () => nowMs,
    () => nowMs,
  )
