import type { FocusPlace } from './focus-place.ts'

const eventName = 'ui-focus-lost'

/** Tells that the focus was lost here, and that nothing which had it can take it back. True = the page has set it. */
export function tellFocusLost(place: FocusPlace | undefined): boolean {
  return !document.dispatchEvent(new CustomEvent(eventName, { cancelable: true, detail: place }))
}

/** `handle` answers whether it has set the focus. */
export function onFocusLost(handle: (place: FocusPlace | undefined) => boolean): () => void {
  const listener = (event: Event) => {
    if (handle(event instanceof CustomEvent ? event.detail : undefined)) event.preventDefault()
  }
  document.addEventListener(eventName, listener)
  return () => document.removeEventListener(eventName, listener)
}
