import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import type { Fields } from '#schema/field-types.ts'
import { Icon } from '#ui/icon/icon.tsx'
import { classes } from '#ui/theme/classes.ts'
import { factText } from './fact-text.ts'
import { fieldLabel } from './field-words.ts'
import { keepInView } from './keep-in-view.ts'
import { type ByteMark, markOfField, type Packet, type PacketField } from './packet-data.ts'
import { packetWords } from './packet-words.ts'
import { codeText, valueText } from './value-text.ts'

export type FieldTableProps = {
  packet: Packet
  /** Fields with the words of codes. */
  choices: Fields
  marks: ReadonlyMap<number, ByteMark>
  /** Fields of the packet to compare with. */
  before: ReadonlyMap<string, PacketField> | undefined
  lit: number | undefined
  /** The focused field. */
  current: number
  onHover: (field: number | undefined) => void
  onFocus: (field: number) => void
}

const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, Home: -1e6, End: 1e6 }

/** Table of decoded fields with arrow key navigation. */
export function FieldTable(props: FieldTableProps) {
  const { packet, before, lit, current, onHover, onFocus } = props
  const sayLabel = useSay()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (lit !== undefined) keepInView(box.current, `[data-field="${lit}"]`)
  }, [lit])
  const handleKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.max(0, Math.min(packet.fields.length - 1, current + step))
    onFocus(next)
    box.current?.querySelector<HTMLElement>(`[data-field="${next}"] button`)?.focus({ preventScroll: true })
  }
  return (
    <div className={classes('packet-fields', before && 'packet-compared')} ref={box} onPointerLeave={() => onHover(undefined)}>
      <table>
        <caption className="ui-hidden">
          {sayLabel(packetWords.fields)}. {sayLabel(packetWords.fieldsHelp)}
        </caption>
        <thead>
          <tr>
            <th scope="col">{sayLabel(packetWords.field)}</th>
            <th scope="col">{sayLabel(packetWords.value)}</th>
            {before && <th scope="col">{sayLabel(packetWords.lastValid)}</th>}
            <th scope="col" className="packet-place">
              {sayLabel(packetWords.place)}
            </th>
          </tr>
        </thead>
        <tbody onKeyDown={handleKeyDown}>
          {packet.fields.map((field, index) => (
            <FieldRow key={`${field.name} ${field.offset}`} {...props} field={field} index={index} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type FieldRowProps = FieldTableProps & { field: PacketField; index: number }

function FieldRow({ choices, packet, marks, before, lit, current, field, index, onHover, onFocus }: FieldRowProps) {
  const language = useLanguage()
  const sayLabel = useSay()
  const mark = markOfField(field, marks)
  const old = before?.get(field.name)
  const isChanged = before !== undefined && old?.raw !== field.raw
  const reason = packet.reasons.find((each) => each.field === field.name && each.severity !== 'NOTE')
  const span = field.length > 1 ? `${field.offset}–${field.offset + field.length - 1}` : `${field.offset}`
  return (
    <tr
      data-field={index}
      className={classes(lit === index && 'packet-lit', mark && `packet-${mark}`)}
      onPointerEnter={() => onHover(index)}
    >
      <th scope="row">
        <button
          type="button"
          tabIndex={index === current ? 0 : -1}
          aria-pressed={index === lit}
          onFocus={() => onFocus(index)}
          onClick={() => onFocus(index)}
        >
          {sayLabel(fieldLabel(field.name))}
        </button>
      </th>
      <td>
        <FieldValue field={field} choices={choices} />
        {mark && reason && (
          <span className="packet-why">
            <Icon name="warning" sizePx={13} />
            {sayLabel(packetWords.expected)}: {factText(reason.expected, language)}
          </span>
        )}
      </td>
      {before && (
        <td className={classes(isChanged && 'packet-differs')}>
          {old ? <FieldValue field={old} choices={choices} /> : <span aria-hidden="true">—</span>}
        </td>
      )}
      <td className="packet-place">{span}</td>
    </tr>
  )
}

function FieldValue({ field, choices }: { field: PacketField; choices: Fields }) {
  const language = useLanguage()
  const sayLabel = useSay()
  const text = valueText(field, language, choices)
  const code = codeText(field, choices)
  if (text)
    return (
      <span title={field.raw}>
        {text}
        {code && code !== text && <code className="packet-code">{code}</code>}
      </span>
    )
  const isOpaque = field.name === 'rest' || field.name === 'payload' || field.name === 'unknown'
  return (
    <span className="packet-none">{isOpaque ? `${field.length} ${sayLabel(['B', 'Б'])}` : sayLabel(packetWords.notSent)}</span>
  )
}
