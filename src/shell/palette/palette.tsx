import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useConsole } from '#fields/definitions.tsx'
import { useHistory } from '#shell/use-address.ts'
import { useWords } from '#shell/use-words.ts'
import './palette.css'
import { commandEntries, type PaletteEntry } from './palette-entries.ts'
import { PaletteList } from './palette-list.tsx'
import { useRecordSearch } from './use-record-search.ts'

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

function useEntries(text: string): { entries: PaletteEntry[]; isSearching: boolean } {
  const words = useWords()
  const { definitions, permissions, viewer, language } = useConsole()
  const records = useRecordSearch(text)
  const commands = commandEntries({ definitions, permissions, role: viewer.role, language, words }, text)
  return { entries: [...commands, ...records.entries], isSearching: records.isSearching }
}

/** Enter while the records are still searched for opens the first of them; typing takes it back. */
function useEarlyEnter(first: PaletteEntry | undefined, isSearching: boolean, open: (entry: PaletteEntry | undefined) => void) {
  const [isPressed, setPressed] = useState(false)
  const openFirst = useEffectEvent(() => open(first))
  useEffect(() => {
    if (!isPressed || isSearching) return
    setPressed(false)
    openFirst()
  }, [isPressed, isSearching])
  return setPressed
}

/** Command palette: searches every page and record. Esc or a click outside closes it. */
export function Palette({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const history = useHistory()
  const dialog = useRef<HTMLDialogElement>(null)
  const listId = useId()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const { entries, isSearching } = useEntries(text)
  const index = Math.min(active, entries.length - 1)

  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  const open = (entry: PaletteEntry | undefined) => {
    if (!entry) return
    onClose()
    history.push(entry.href)
  }
  const setEnterPressed = useEarlyEnter(entries[0], isSearching, open)
  const handleKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step) {
      event.preventDefault()
      setActive((index + step + entries.length) % Math.max(entries.length, 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (entries[index]) open(entries[index])
      else setEnterPressed(isSearching)
    }
  }
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={words('palette.open')}
      onClose={onClose}
      onKeyDown={handleKeyDown}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <input
        className="palette-input"
        role="combobox"
        aria-label={words('palette.placeholder')}
        placeholder={words('palette.placeholder')}
        aria-controls={listId}
        aria-expanded
        aria-activedescendant={index >= 0 ? `${listId}-${index}` : undefined}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
          setEnterPressed(false)
        }}
      />
      <PaletteList id={listId} entries={entries} active={index} isSearching={isSearching} onOpen={open} onActive={setActive} />
    </dialog>
  )
}
