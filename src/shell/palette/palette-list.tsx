import { useEffect, useRef } from 'react'
import { useWords } from '#shell/use-words.ts'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { Icon } from '#ui/icon/icon.tsx'
import type { PaletteEntry } from './palette-entries.ts'

type PaletteListProps = {
  id: string
  entries: readonly PaletteEntry[]
  active: number
  isSearching: boolean
  onOpen: (entry: PaletteEntry) => void
  onActive: (index: number) => void
}

/** Results under headings; the input keeps the focus. */
export function PaletteList({ id, entries, active, isSearching, onOpen, onActive }: PaletteListProps) {
  const words = useWords()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  return (
    <div ref={list} id={id} className="palette-list" role="listbox" aria-label={words('palette.open')}>
      {entries.map((entry, index) => (
        <div key={entry.key} role="presentation">
          {entry.group !== entries[index - 1]?.group && (
            <p className="palette-group" role="presentation">
              {entry.group}
            </p>
          )}
          <div
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            className="palette-entry"
            onPointerMove={() => index !== active && onActive(index)}
            onClick={() => onOpen(entry)}
            onKeyDown={undefined}
          >
            <Icon name={entry.icon} />
            <span className="palette-label">{entry.label}</span>
            {entry.detail && <span className="palette-detail">{entry.detail}</span>}
          </div>
        </div>
      ))}
      {isSearching && <Spinner />}
      {entries.length === 0 && !isSearching && <p className="palette-group">{words('palette.empty')}</p>}
    </div>
  )
}
