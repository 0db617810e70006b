import { tellFocusLost } from './focus-lost.ts'
import { focusNear, focusPlaceOf, isFocusLost } from './focus-place.ts'

/** A dialog, a new page or a list that loads sets the focus by itself within this time. */
const settledMs = 150

/**
 * Keeps the focus near a control of the frame that is removed while it has it, as the button of an action is that is not possible any
 * more: browsers leave it at the start of the page. Returns a function that stops it.
 */
export function keepFocus(): () => void {
  const placeOf = (target: EventTarget | null) =>
    target instanceof Element && target.closest('.ui-frame') ? focusPlaceOf(target) : undefined
  let last = placeOf(document.activeElement)
  let timer: number | undefined
  const noteFocus = ({ target }: FocusEvent) => {
    last = placeOf(target)
  }
  const settle = () => {
    timer = undefined
    const lost = last
    if (!lost || lost.element.isConnected || !isFocusLost()) return
    last = undefined
    if (!tellFocusLost(lost)) focusNear(lost)
  }
  const observer = new MutationObserver(() => {
    if (timer === undefined && last && !last.element.isConnected) timer = window.setTimeout(settle, settledMs)
  })
  document.addEventListener('focusin', noteFocus)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', noteFocus)
    observer.disconnect()
    window.clearTimeout(timer)
  }
}
