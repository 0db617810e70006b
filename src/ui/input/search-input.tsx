import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import { IconButton } from './icon-button.tsx'
import { TextInput } from './text-input.tsx'

export type SearchInputProps = {
  value: string
  /** Debounced by `delayMs`; called at once on Enter, Esc and clear. */
  onChange: (value: string) => void
  label: string
  placeholder?: string | undefined
  delayMs?: number | undefined
  id?: string | undefined
  autoFocus?: boolean | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** A debounced search box; the typed text is local state. */
export function SearchInput({ value, onChange, label, placeholder, delayMs = 200, id, autoFocus, ref }: SearchInputProps) {
  const words = useUiWords()
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (value !== known) {
    setKnown(value)
    // The value that comes back is the one sent, perhaps trimmed: it must not remove characters typed since.
    if (timer.current === undefined) setText(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  // Called by a timer, too: what the page shows may have changed since the last key.
  const send = useRef((_next: string) => {})
  useEffect(() => {
    send.current = (next) => {
      clearTimeout(timer.current)
      timer.current = undefined
      setKnown(next)
      if (next !== value) onChange(next)
    }
  })
  const handleType = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => send.current(next), delayMs)
  }
  const empty = () => {
    setText('')
    send.current('')
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') send.current(text)
    if (event.key !== 'Escape' || text === '') return
    event.stopPropagation()
    empty()
  }
  return (
    <search className="ui-search" aria-label={label}>
      <TextInput
        ref={ref}
        id={id}
        type="search"
        value={text}
        aria-label={label}
        placeholder={placeholder ?? label}
        autoComplete="off"
        autoFocus={autoFocus}
        prefix={<Icon name="search" />}
        suffix={text && <IconButton icon="close" size="small" label={words.clear} onClick={empty} />}
        onChange={handleType}
        onKeyDown={handleKeyDown}
      />
    </search>
  )
}
