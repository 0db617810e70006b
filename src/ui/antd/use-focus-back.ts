import { useCallback, useEffect, useRef } from 'react'
import { tellFocusLost } from '#ui/overlay/focus-lost.ts'
import { type FocusPlace, focusNear, focusPlaceOf, isFocusLost } from '#ui/overlay/focus-place.ts'

let openDialogs = 0
/** Elements that had the focus when the dialogs on screen opened, the outermost first. */
let openers: readonly FocusPlace[] = []

function openersNow(): readonly FocusPlace[] {
  const active = document.activeElement ?? document.body
  const former = openDialogs > 0 && (active === document.body || active.closest('.ant-modal-root')) ? openers : []
  openers = active === document.body ? former : [...former, focusPlaceOf(active)]
  return openers
}

/**
 * Focus return where antd, which focuses the opener, cannot: a dialog removed while open, one that replaced another, or one whose
 * opener is gone with its row. Then the page is asked, and by default a neighbour gets the focus. Returns the function to call
 * after the dialog has closed.
 */
export function useFocusBack(open: boolean): () => void {
  const kept = useRef<{ open: boolean; openers: readonly FocusPlace[] }>({ open: false, openers: [] })
  // While rendering: in effects the dialog may have the focus already.
  if (kept.current.open !== open) kept.current = { open, openers: open ? openersNow() : kept.current.openers }
  const giveBack = useCallback(() => {
    requestAnimationFrame(() => {
      if (!isFocusLost()) return
      const { openers: all } = kept.current
      const opener = all.findLast(({ element }) => element.isConnected)?.element
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
      const inmost = all.at(-1)
      if (isFocusLost() && !tellFocusLost(inmost) && inmost) focusNear(inmost)
    })
  }, [])
  useEffect(() => {
    if (!open) return
    openDialogs += 1
    return () => {
      openDialogs -= 1
    }
  }, [open])
  useEffect(
    () => () => {
      if (kept.current.open) giveBack()
    },
    [giveBack],
  )
  return giveBack
}
