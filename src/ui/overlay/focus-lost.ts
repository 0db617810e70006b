const eventName = 'ui-focus-lost'

/** Tells that an overlay has closed and that no element which had the focus before it can take it back. */
export function tellFocusLost(): void {
  document.dispatchEvent(new Event(eventName))
}

export function onFocusLost(handle: () => void): () => void {
  document.addEventListener(eventName, handle)
  return () => document.removeEventListener(eventName, handle)
}
