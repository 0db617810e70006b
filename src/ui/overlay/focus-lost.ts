const eventName = 'ui-focus-lost'

/** Tells that an overlay has closed and that its opener, which would take the focus back, is gone. */
export function tellFocusLost(): void {
  // The overlay is removed after this.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.dispatchEvent(new Event(eventName))
  })
}

export function onFocusLost(handle: () => void): () => void {
  document.addEventListener(eventName, handle)
  return () => document.removeEventListener(eventName, handle)
}
