const eventName = 'ui-focus-lost'

/** Tells that nothing which had the focus can take it back. True = the page sees to it, maybe when its rows have come. */
export function tellFocusLost(): boolean {
  return !document.dispatchEvent(new Event(eventName, { cancelable: true }))
}

/** `handle` answers whether it sees to the focus. */
export function onFocusLost(handle: () => boolean): () => void {
  const listener = (event: Event) => {
    if (handle()) event.preventDefault()
  }
  document.addEventListener(eventName, listener)
  return () => document.removeEventListener(eventName, listener)
}
