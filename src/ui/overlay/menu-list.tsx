import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import { Link } from '#ui/layout/link.tsx'
import type { MenuEntry, MenuItem } from './menu.tsx'
import { Popup, type PopupAlign } from './popup.tsx'

type MenuListProps = {
  id: string
  label: string
  items: readonly MenuEntry[]
  start: 'first' | 'last'
  anchor: RefObject<HTMLButtonElement | null>
  align: PopupAlign
  onClose: () => void
}

const steps: Record<string, (index: number, count: number) => number> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

const entriesOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled])')]

/** Letters that follow one another within this time are one text. */
const typingMs = 700

/** The next entry with a word that begins with the typed text; the same letter again goes on to the one after. */
function typedEntry(entries: readonly HTMLElement[], index: number, typed: string): HTMLElement | undefined {
  const isOne = new Set(typed).size === 1
  const text = isOne ? typed.slice(0, 1) : typed
  const from = isOne ? index + 1 : Math.max(index, 0)
  const inOrder = [...entries.slice(from), ...entries.slice(0, from)]
  return inOrder.find((entry) => ` ${entry.textContent?.toLowerCase()}`.includes(` ${text}`))
}

export function MenuList({ id, label, items, start, anchor, align, onClose }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', untilMs: 0 })
  useEffect(() => {
    if (list.current)
      entriesOf(list.current)
        .at(start === 'first' ? 0 : -1)
        ?.focus()
  }, [start])

  /** The entry that a key moves to. */
  const target = (box: HTMLElement, { key, timeStamp }: KeyboardEvent) => {
    const entries = entriesOf(box)
    const index = entries.findIndex((entry) => entry.matches(':focus'))
    const step = steps[key]
    if (step) return entries[step(index, entries.length)]
    if (key.length !== 1) return undefined
    const { text, untilMs } = typed.current
    typed.current = { text: (timeStamp < untilMs ? text : '') + key.toLowerCase(), untilMs: timeStamp + typingMs }
    return typedEntry(entries, index, typed.current.text)
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return onClose()
    const next = list.current && target(list.current, event)
    if (!next) return
    event.preventDefault()
    next.focus()
  }
  return (
    <Popup
      id={id}
      role="menu"
      label={label}
      className="ui-popup ui-menu"
      {...{ anchor, align, onClose }}
      onKeyDown={handleKeyDown}
    >
      <div ref={list} role="none">
        {items.map((entry) => (
          <Entry key={entry.key} entry={entry} onClose={onClose} />
        ))}
      </div>
    </Popup>
  )
}

function Entry({ entry, onClose }: { entry: MenuEntry; onClose: () => void }) {
  if ('separator' in entry) return <hr className="ui-menu-separator" />
  if ('heading' in entry)
    return (
      <div role="presentation" className="ui-menu-heading">
        {entry.heading}
      </div>
    )
  return <Item item={entry} onClose={onClose} />
}

function Item({ item, onClose }: { item: MenuItem; onClose: () => void }) {
  const look = {
    className: item.danger ? 'ui-menu-item ui-menu-danger' : 'ui-menu-item',
    role: item.checked === undefined ? 'menuitem' : 'menuitemcheckbox',
    'aria-checked': item.checked,
    tabIndex: -1,
  }
  const content = (
    <>
      {item.checked === undefined ? item.icon && <Icon name={item.icon} /> : <CheckMark checked={item.checked} />}
      <span className="ui-menu-label">{item.label}</span>
      {item.hint && <span className="ui-menu-hint">{item.hint}</span>}
    </>
  )
  const handleSelect = () => {
    onClose()
    item.onSelect?.()
  }
  if (item.href !== undefined && !item.disabled)
    return (
      <Link href={item.href} {...look} onClick={handleSelect}>
        {content}
      </Link>
    )
  return (
    <button
      type="button"
      {...look}
      aria-disabled={item.disabled || undefined}
      onClick={item.disabled ? undefined : handleSelect}
    >
      {content}
    </button>
  )
}

function CheckMark({ checked }: { checked: boolean }) {
  return <span className="ui-menu-check">{checked && <Icon name="check" />}</span>
}
