import { cloneElement, type ReactElement, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

export type TooltipProps = {
  text: string
  /** One element that can take the focus. */
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>
}

/** A word on hover and on focus; Esc takes it away. */
export function Tooltip({ text, children }: TooltipProps) {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLSpanElement>(null)
  const bubble = useRef<HTMLDivElement>(null)
  const id = useId()

  useLayoutEffect(() => {
    if (!isOpen || !anchor.current || !bubble.current) return
    const at = (anchor.current.firstElementChild ?? anchor.current).getBoundingClientRect()
    const { offsetWidth: width, offsetHeight: height } = bubble.current
    const left = at.left + at.width / 2 - width / 2
    bubble.current.style.left = `${Math.max(8, Math.min(left, window.innerWidth - width - 8))}px`
    bubble.current.style.top = `${at.top - height - 6 > 0 ? at.top - height - 6 : at.bottom + 6}px`
  }, [isOpen])

  const show = () => setOpen(true)
  const hide = () => setOpen(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens for what happens to the control inside
    <span
      ref={anchor}
      className="ui-tooltip-anchor"
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {cloneElement(children, { 'aria-describedby': isOpen ? id : undefined })}
      {isOpen &&
        createPortal(
          <div ref={bubble} id={id} role="tooltip" className="ui-tooltip">
            {text}
          </div>,
          document.body,
        )}
    </span>
  )
}
