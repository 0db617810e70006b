import { type ReactNode, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'

export type OverlayProps = {
  open: boolean
  label: string
  children: ReactNode
}

const isSparedByOverlays = (element: Element, host: Element) => element === host || element.hasAttribute('data-ui-live')

/**
 * Makes the rest of the page inert while `host` is mounted, including elements added later; returns a function that undoes it.
 */
function makeRestInert(host: HTMLElement): () => void {
  const stilled = new Set<Element>()
  const still = () => {
    for (const element of document.body.children) {
      if (isSparedByOverlays(element, host) || element.hasAttribute('inert')) continue
      element.setAttribute('inert', '')
      stilled.add(element)
    }
  }
  still()
  const observer = new MutationObserver(still)
  observer.observe(document.body, { childList: true })
  return () => {
    observer.disconnect()
    for (const element of stilled) element.removeAttribute('inert')
  }
}

/** Covers the page without unmounting it: what was typed below is still there after closing. */
export function Overlay({ open, label, children }: OverlayProps) {
  return open && typeof document !== 'undefined' ? <OpenOverlay label={label}>{children}</OpenOverlay> : null
}

function OpenOverlay({ label, children }: Omit<OverlayProps, 'open'>) {
  const host = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    const release = host.current ? makeRestInert(host.current) : undefined
    panel.current?.focus()
    return () => {
      release?.()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return createPortal(
    <div className="ui-overlay" ref={host}>
      <div
        className="ui-overlay-panel"
        ref={panel}
        role="alertdialog"
        aria-modal="true"
        aria-label={label}
        id={id}
        tabIndex={-1}
      >
        {children}
      </div>
    </div>,
    document.body,
  )
}
