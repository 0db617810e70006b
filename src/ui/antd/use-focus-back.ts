import { useCallback, useEffect, useRef } from 'react'
import { tellFocusLost } from '#ui/overlay/focus-lost.ts'

/** What had the focus when a dialog opened, and the focusable box around it: the table of a row, which outlives the row. */
type Opener = { element: Element; box: Element | null | undefined }

let openDialogs = 0
/** Openers of the dialogs on screen, the outermost first. */
let openers: readonly Opener[] = []

function openersNow(): readonly Opener[] {
  const active = document.activeElement ?? document.body
  const former = openDialogs > 0 && (active === document.body || active.closest('.ant-modal-root')) ? openers : []
  const opener = { element: active, box: active.parentElement?.closest('[tabindex="0"]') }
  openers = active === document.body ? former : [...former, opener]
  return openers
}

function focusLast(elements: readonly (Element | null | undefined)[]): void {
  const last = elements.findLast((element) => element?.isConnected)
  if (last instanceof HTMLElement) last.focus({ preventScroll: true })
}

const isFocusLost = () => document.activeElement === document.body

/**
 * Focus return where antd, which gives it to the opener, cannot: a dialog that is removed while it is open, one that took the place
 * of another, or one whose opener is gone with its row: then the page is told, and a page that does not care leaves it to the table.
 * Answers what to call after the dialog has closed.
 */
export function useFocusBack(open: boolean): () => void {
  const kept = useRef<{ open: boolean; openers: readonly Opener[] }>({ open: false, openers: [] })
  // While rendering: in effects the dialog may have the focus already.
  if (kept.current.open !== open) kept.current = { open, openers: open ? openersNow() : kept.current.openers }
  const giveBack = useCallback(() => {
    requestAnimationFrame(() => {
      const { openers: all } = kept.current
      if (isFocusLost()) focusLast(all.map(({ element }) => element))
      if (isFocusLost() && !tellFocusLost()) focusLast(all.map(({ box }) => box))
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
