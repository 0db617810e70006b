const eventName = 'ui-focus-lost'

/** Tells that an overlay has closed and that no element which had the focus before it can take it back. True = somebody sees to it. */
export function tellFocusLost(): boolean {
  return !document.dispatchEvent(new Event(eventName, { cancelable: true }))
}

/** The handler may set the focus later, when the rows have come. */
export function onFocusLost(handle: () => void): () => void {
  const listener = (event: Event) => {
    event.preventDefault()
    handle()
  }
  document.addEventListener(eventName, listener)
  return () => document.removeEventListener(eventName, listener)
}
