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

/** The present beside a moment: what the clock of the screen has not reached yet within its step has just been. */
export const nowBeside = (timeMs: number, present: number): number =>
  timeMs > present && timeMs - present <= stepMs ? timeMs : present

/** The present in ms, moving on every 30 s: one timer for all that show how long ago something was. */
export const useNow = (): number =>
  useSyncExternalStore(
    subscribe,
    () => nowMs,
    () => nowMs,
  )
