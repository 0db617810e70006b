import { type KeyboardEvent, memo, useEffect, useId, useRef } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { classes } from '#ui/theme/classes.ts'
import { fieldLabel } from './field-words.ts'
import { keepInView } from './keep-in-view.ts'
import type { ByteMark, Packet } from './packet-data.ts'
import { packetWords } from './packet-words.ts'

export type HexDumpProps = {
  packet: Packet
  /** Field index of each byte. */
  owners: readonly (number | undefined)[]
  marks: ReadonlyMap<number, ByteMark>
  changed: ReadonlySet<number>
  /** Index of the highlighted field. */
  lit: number | undefined
  /** The focused byte. */
  cursor: number
  perRow: number
  onHover: (field: number | undefined) => void
  onCursor: (at: number) => void
}

const steps: Readonly<Record<string, (perRow: number) => number>> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (perRow) => -perRow,
  ArrowDown: (perRow) => perRow,
  PageUp: (perRow) => -8 * perRow,
  PageDown: (perRow) => 8 * perRow,
  Home: () => Number.NEGATIVE_INFINITY,
  End: () => Number.POSITIVE_INFINITY,
}

const offsetText = (at: number) => at.toString(16).padStart(4, '0')

const shownCharacter = (hex: string) => {
  const code = Number.parseInt(hex, 16)
  return code > 32 && code < 127 ? String.fromCharCode(code) : '·'
}

/** The bytes of a packet as a list with arrow keys; each byte announces its field. */
export function HexDump(props: HexDumpProps) {
  const { packet, perRow, cursor, lit, owners, onCursor, onHover } = props
  const sayLabel = useSay()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const last = packet.bytes.length - 1
  const firstLit = lit === undefined ? undefined : owners.indexOf(lit)
  useEffect(() => {
    if (firstLit !== undefined) keepInView(box.current, `[data-at="${firstLit}"]`)
  }, [firstLit])

  const handleKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]?.(perRow)
    if (step === undefined) return
    event.preventDefault()
    onCursor(Math.max(0, Math.min(last, cursor + step)))
  }
  const rows = Array.from({ length: Math.ceil(packet.bytes.length / perRow) }, (_, row) => row * perRow)
  return (
    <div className="packet-hex" ref={box}>
      <div
        role="listbox"
        tabIndex={0}
        aria-label={`${sayLabel(packetWords.bytes)}. ${sayLabel(packetWords.bytesHelp)}`}
        aria-activedescendant={`${id}-${cursor}`}
        onKeyDown={handleKeyDown}
        onFocus={() => onCursor(cursor)}
        onPointerLeave={() => onHover(undefined)}
      >
        {rows.map((start) => (
          <HexRow key={start} {...props} id={id} start={start} />
        ))}
      </div>
    </div>
  )
}

const markWords = { bad: packetWords.wrong, warn: packetWords.doubted, info: packetWords.noted } as const

type HexRowProps = HexDumpProps & { id: string; start: number }

const HexRow = memo(function HexRow({ packet, start, perRow, ...props }: HexRowProps) {
  const bytes = packet.bytes.slice(start, start + perRow)
  return (
    <div className="packet-row" role="presentation">
      <span className="packet-offset" aria-hidden="true">
        {offsetText(start)}
      </span>
      <span className="packet-bytes" role="presentation">
        {bytes.map((hex, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a byte is its place
          <Byte key={start + index} {...props} packet={packet} at={start + index} hex={hex} />
        ))}
      </span>
      <span className="packet-text" aria-hidden="true">
        {bytes.map((hex, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a byte is its place
            key={start + index}
            data-lit={props.lit !== undefined && props.owners[start + index] === props.lit ? '' : undefined}
          >
            {shownCharacter(hex)}
          </span>
        ))}
      </span>
    </div>
  )
})

type ByteProps = Omit<HexRowProps, 'start' | 'perRow'> & { at: number; hex: string }

function Byte({ packet, owners, marks, changed, lit, cursor, id, at, hex, onHover, onCursor }: ByteProps) {
  const sayLabel = useSay()
  const owner = owners[at]
  const mark = marks.get(at)
  const said = [
    sayLabel(packetWords.byte, { at, hex }),
    owner === undefined ? '' : sayLabel(fieldLabel(packet.fields[owner]?.name ?? '')),
    mark ? sayLabel(markWords[mark]) : '',
    changed.has(at) ? sayLabel(packetWords.changed) : '',
  ]
  const isLit = lit !== undefined && owner === lit
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its active byte
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys
    <span
      id={`${id}-${at}`}
      role="option"
      aria-selected={isLit}
      aria-label={said.filter(Boolean).join(', ')}
      className={classes(
        'packet-byte',
        mark && `packet-${mark}`,
        isLit && 'packet-lit',
        changed.has(at) && 'packet-changed',
        at === cursor && 'packet-cursor',
        owner !== undefined && owners[at - 1] !== owner && 'packet-first',
      )}
      data-at={at}
      data-odd={owner !== undefined && owner % 2 === 1 ? '' : undefined}
      onPointerEnter={() => onHover(owner)}
      onClick={() => onCursor(at)}
    >
      {hex}
    </span>
  )
}
