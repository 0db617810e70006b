import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import type { IconName } from '#ui/icon/icon-paths.ts'
import { Button, type ButtonKind, type ButtonSize } from '#ui/input/button.tsx'
import { MenuList } from './menu-list.tsx'
import type { PopupAlign } from './popup.tsx'

export type MenuItem = {
  key: string
  label: ReactNode
  icon?: IconName | undefined
  /** A link instead of an action. */
  href?: string | undefined
  onSelect?: (() => void) | undefined
  danger?: boolean | undefined
  disabled?: boolean | undefined
  /** Reason why it is disabled, or its keyboard shortcut. */
  hint?: ReactNode
  /** Makes it a radio or check item. */
  checked?: boolean | undefined
}
export type MenuEntry = MenuItem | { key: string; separator: true } | { key: string; heading: ReactNode }

export type MenuProps = {
  /** Accessible name of the button and the menu. */
  label: string
  items: readonly MenuEntry[]
  icon?: IconName | undefined
  /** Text of the button; without it the button is an icon. */
  text?: ReactNode
  kind?: ButtonKind | undefined
  size?: ButtonSize | undefined
  align?: PopupAlign | undefined
  disabled?: boolean | undefined
  busy?: boolean | undefined
}

/** A button that opens a menu: arrows, Home, End, first letters of a word, Esc; the focus returns to the button. */
export function Menu({ label, items, icon, text, kind = 'text', size, align = 'end', disabled, busy }: MenuProps) {
  const [start, setStart] = useState<'first' | 'last'>()
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setStart(event.key === 'ArrowDown' ? 'first' : 'last')
  }
  return (
    <>
      <Button
        ref={button}
        kind={kind}
        size={size}
        icon={icon ?? (text === undefined ? 'more' : undefined)}
        iconEnd={text === undefined ? undefined : 'chevron-down'}
        aria-label={text === undefined ? label : undefined}
        title={text === undefined ? label : undefined}
        aria-haspopup="menu"
        aria-expanded={Boolean(start)}
        aria-controls={start ? id : undefined}
        disabled={disabled}
        busy={busy}
        onClick={() => setStart(start ? undefined : 'first')}
        onKeyDown={handleKeyDown}
      >
        {text}
      </Button>
      {start && (
        <MenuList
          id={id}
          label={label}
          items={items}
          start={start}
          anchor={button}
          align={align}
          onClose={() => setStart(undefined)}
        />
      )}
    </>
  )
}
