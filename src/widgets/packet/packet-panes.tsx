import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useDefinitions, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { AnyResource } from '#schema/resource.ts'
import { CopyButton } from '#ui/input/copy-button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { useWidth } from '#ui/layout/use-width.ts'
import { CompareBar } from './compare-bar.tsx'
import { FieldTable } from './field-table.tsx'
import { frameChoices } from './frame-choices.ts'
import { HexDump } from './hex-dump.tsx'
import { changedBytes, fieldsByByte, marksOf, type Packet, type PacketField, packetOf } from './packet-data.ts'
import { packetWords } from './packet-words.ts'
import { useCompare } from './use-compare.ts'
import { VerdictCard } from './verdict-card.tsx'
import './panes.css'

/** Minimum width for 16 bytes with their characters. */
const widePx = 550
const noBytes: ReadonlySet<number> = new Set()

type PacketPanesProps = { resource: AnyResource; record: Row; packet: Packet; children: ReactNode }

/** Bytes and fields side by side; hover and focus highlight both. */
export function PacketPanes({ resource, record, packet, children }: PacketPanesProps) {
  const sayLabel = useSay()
  const pane = useRef<HTMLDivElement>(null)
  const widthPx = useWidth(pane)
  const { isOn, change, last } = useCompare(resource.name, record)
  const other = useMemo(() => (isOn && last.data ? packetOf(last.data) : undefined), [isOn, last.data])
  const owners = useMemo(() => fieldsByByte(packet), [packet])
  const marks = useMemo(() => marksOf(packet), [packet])
  const changed = useMemo(() => (other ? changedBytes(packet, other) : noBytes), [packet, other])
  const before = useMemo(
    () => (other ? new Map(other.fields.map((field): [string, PacketField] => [field.name, field])) : undefined),
    [other],
  )
  const [hovered, setHovered] = useState<number>()
  const [cursor, setCursor] = useState(() => firstDoubt(marks))
  const [isChosen, setChosen] = useState(marks.size > 0)
  const chosen = owners[cursor]
  const choose = (at: number) => {
    setCursor(at)
    setChosen(true)
  }
  const definitions = useDefinitions()
  const choices = useMemo(() => frameChoices(resource, definitions), [resource, definitions])
  const lit = hovered ?? (isChosen ? chosen : undefined)
  const shared = { packet, marks, lit, onHover: setHovered }
  return (
    <>
      <VerdictCard
        packet={packet}
        status={String(record.status)}
        statusField={resource.fields.status}
        reasonField={resource.fields.reason}
        onShow={choose}
      />
      <CompareBar {...{ resource, record, packet, other, changed, before, isOn, last }} onChange={change} />
      <div className="packet-panes">
        <Card
          title={sayLabel(packetWords.bytes)}
          actions={<CopyButton text={packet.bytes.join('')}>{sayLabel(packetWords.allBytes)}</CopyButton>}
          flush
        >
          <div ref={pane}>
            <HexDump {...shared} {...{ owners, changed, cursor }} perRow={widthPx >= widePx ? 16 : 8} onCursor={choose} />
          </div>
        </Card>
        <Card title={sayLabel(packetWords.fields)} flush>
          <FieldTable
            {...shared}
            {...{ choices, before }}
            current={chosen ?? 0}
            onFocus={(index) => choose(packet.fields[index]?.offset ?? 0)}
          />
        </Card>
        {children}
      </div>
    </>
  )
}

/** Initial focus: the first faulty byte. */
const firstDoubt = (marks: ReadonlyMap<number, string>): number => Math.min(...(marks.size > 0 ? marks.keys() : [0]))
