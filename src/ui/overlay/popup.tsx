import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { overPopup } from './over-popup.ts'

const gapPx = 4
const edgePx = 8

export type PopupAlign = 'start' | 'end'

/** Positions `box` below its anchor, or above where there is more room, inside the window. */
function place(box: HTMLElement, anchor: HTMLElement, align: PopupAlign) {
  const at = anchor.getBoundingClientRect()
  const below = window.innerHeight - at.bottom - gapPx - edgePx
  const above = at.top - gapPx - edgePx
  const opensUp = box.scrollHeight > below && above > below
  box.style.maxHeight = `${Math.max(opensUp ? above : below, 80)}px`
  const left = align === 'end' ? at.right - box.offsetWidth : at.left
  box.style.left = `${Math.max(edgePx, Math.min(left, window.innerWidth - box.offsetWidth - edgePx))}px`
  box.style.top = opensUp ? `${at.top - gapPx - box.offsetHeight}px` : `${at.bottom + gapPx}px`
}

export type PopupProps = {
  anchor: RefObject<HTMLElement | null>
  align?: PopupAlign | undefined
  className: string
  onClose: () => void
  onKeyDown?: ((event: KeyboardEvent<HTMLDivElement>) => void) | undefined
  id?: string | undefined
  role: 'menu' | 'dialog'
  label: string
  children: ReactNode
}

/** A box next to its anchor; closes on Esc or a click outside and restores the focus. */
export function Popup({ anchor, align = 'start', className, onClose, onKeyDown, id, role, label, children }: PopupProps) {
  const box = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })

  useLayoutEffect(() => {
    const update = () => {
      if (box.current && anchor.current) place(box.current, anchor.current, align)
    }
    update()
    // Where something comes above the anchor, one of the boxes around it grows.
    const observer = new ResizeObserver(update)
    for (let around: Element | null = anchor.current; around; around = around.parentElement) observer.observe(around)
    window.addEventListener('scroll', update, true)
    window.addEventListener('resize', update)
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', update, true)
      window.removeEventListener('resize', update)
    }
  }, [anchor, align])

  useEffect(() => {
    const trigger = anchor.current
    const popup = box.current
    const handlePress = (event: PointerEvent) => {
      const target = event.target
      const isOver = target instanceof Element && target.closest(`.${overPopup}`)
      if (target instanceof Node && !isOver && !popup?.contains(target) && !trigger?.contains(target)) close.current()
    }
    document.addEventListener('pointerdown', handlePress, true)
    return () => {
      document.removeEventListener('pointerdown', handlePress, true)
      // A click on another control has already moved the focus: leave it there.
      const focused = document.activeElement
      if (!focused || focused === document.body || popup?.contains(focused)) trigger?.focus()
    }
  }, [anchor])

  const handleKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    } else onKeyDown?.(event)
  }
  const meaning = { id, role, 'aria-label': label }
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: its role, menu or dialog, is in `meaning`
    <div {...meaning} ref={box} tabIndex={-1} className={className} onKeyDown={handleKeyDown}>
      {children}
    </div>,
    document.body,
  )
}
