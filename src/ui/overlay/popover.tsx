import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Badge } from '#ui/feedback/badge.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'
import { Button, type ButtonKind, type ButtonSize } from '#ui/input/button.tsx'
import { Popup, type PopupAlign } from './popup.tsx'

export type PopoverProps = {
  /** Accessible name of the button (when it has no text) and the box. */
  label: string
  text?: ReactNode
  icon?: IconName | undefined
  /** Number of active choices. */
  count?: number | undefined
  kind?: ButtonKind | undefined
  size?: ButtonSize | undefined
  align?: PopupAlign | undefined
  disabled?: boolean | undefined
  startsOpen?: boolean | undefined
  children: ReactNode | ((close: () => void) => ReactNode)
}

const focusable = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled)'

/** A button with a popover of controls; Tab stays inside until it closes. */
export function Popover({
  label,
  text,
  icon,
  count,
  kind = 'default',
  size,
  align,
  disabled,
  startsOpen = false,
  children,
}: PopoverProps) {
  const [isOpen, setOpen] = useState(startsOpen)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const close = () => setOpen(false)
  return (
    <>
      <Button
        ref={button}
        icon={icon}
        iconEnd={text === undefined ? undefined : 'chevron-down'}
        aria-label={text === undefined ? label : undefined}
        title={text === undefined ? label : undefined}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        {...{ kind, size, disabled }}
      >
        {text === undefined ? undefined : (
          <>
            {text}
            {count ? <Badge count={count} tone="info" /> : null}
          </>
        )}
      </Button>
      {isOpen && (
        <PopoverBox anchor={button} onClose={close} {...{ id, label, align }}>
          {typeof children === 'function' ? children(close) : children}
        </PopoverBox>
      )}
    </>
  )
}

type PopoverBoxProps = {
  id: string
  label: string
  anchor: RefObject<HTMLButtonElement | null>
  align?: PopupAlign | undefined
  onClose: () => void
  children: ReactNode
}

function PopoverBox({ id, label, anchor, align, onClose, children }: PopoverBoxProps) {
  const content = useRef<HTMLDivElement>(null)
  // While the content loads there is no control to focus: the box takes the focus, and Tab leads to the first control.
  useEffect(() => (content.current?.querySelector<HTMLElement>(focusable) ?? content.current)?.focus(), [])
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Tab') return
    const stops = [...(content.current?.querySelectorAll<HTMLElement>(focusable) ?? [])]
    const edge = event.shiftKey ? stops[0] : stops.at(-1)
    if (document.activeElement !== edge) return
    event.preventDefault()
    const other = event.shiftKey ? stops.at(-1) : stops[0]
    other?.focus()
  }
  return (
    <Popup role="dialog" className="ui-popup ui-popover" onKeyDown={handleKeyDown} {...{ id, label, anchor, align, onClose }}>
      <div ref={content} tabIndex={-1}>
        {children}
      </div>
    </Popup>
  )
}
