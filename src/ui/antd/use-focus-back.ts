import { useCallback, useEffect, useRef } from 'react'
import { tellFocusLost } from '#ui/overlay/focus-lost.ts'

let openDialogs = 0
/** Elements that had the focus when the dialogs on screen opened, the outermost first. */
let openers: readonly Element[] = []

function openersNow(): readonly Element[] {
  const active = document.activeElement ?? document.body
  const former = openDialogs > 0 && (active === document.body || active.closest('.ant-modal-root')) ? openers : []
  openers = active === document.body ? former : [...former, active]
  return openers
}

/**
 * Focus return where antd, which gives it to the opener, cannot: a dialog that is removed while it is open, one that took the place
 * of another, or one whose opener is gone with its row: then the page is told. Answers what to call after the dialog has closed.
 */
export function useFocusBack(open: boolean): () => void {
  const kept = useRef<{ open: boolean; openers: readonly Element[] }>({ open: false, openers: [] })
  // While rendering: in effects the dialog may have the focus already.
  if (kept.current.open !== open) kept.current = { open, openers: open ? openersNow() : kept.current.openers }
  const giveBack = useCallback(() => {
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      const opener = kept.current.openers.findLast((each) => each.isConnected)
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
      if (document.activeElement === document.body) tellFocusLost()
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
