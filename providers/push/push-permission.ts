export type PushPermission = NotificationPermission | 'unsupported'

const read = (): PushPermission => (typeof Notification === 'undefined' ? 'unsupported' : Notification.permission)

const listeners = new Set<() => void>()
let known = read()
let isWatched = false

/** Compares the browser's permission with the last known one and reports a change. */
function check(): void {
  const next = read()
  if (next === known) return
  known = next
  for (const listener of listeners) listener()
}

/** The permission can change at any time; browsers without a change event are polled when the page is used again. */
function watch(): void {
  if (isWatched) return
  isWatched = true
  window.addEventListener('focus', check)
  navigator.permissions?.query({ name: 'notifications' }).then(
    (status) => status.addEventListener('change', check),
    () => undefined,
  )
}

export const pushPermission = {
  get: (): PushPermission => known,
  subscribe: (listener: () => void): (() => void) => {
    watch()
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Prompts the user, unless the browser already has an answer. */
  ask: async (): Promise<PushPermission> => {
    if (known !== 'unsupported') await Notification.requestPermission()
    check()
    return known
  },
}
