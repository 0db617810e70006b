import type { ReactNode } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import { choiceLabel } from '#schema/facts/choices.ts'
import type { Field } from '#schema/field-types.ts'
import type { Label } from '#schema/words.ts'
import { Icon } from '#ui/icon/icon.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'
import { Button } from '#ui/input/button.tsx'
import { factText } from './fact-text.ts'
import type { ByteMark, Packet, PacketReason } from './packet-data.ts'
import { packetWords } from './packet-words.ts'
import { reasonWords } from './reason-words.ts'

export type VerdictCardProps = {
  packet: Packet
  status: string
  /** Definitions of the status and the reasons, for their labels. */
  statusField: Field | undefined
  reasonField: Field | undefined
  onShow: (at: number) => void
}

const toneOf: Readonly<Record<string, 'good' | 'warn' | 'bad' | 'idle' | 'info'>> = {
  VALID: 'good',
  PARTIAL: 'warn',
  INVALID: 'bad',
  DUPLICATE: 'idle',
  UNKNOWN_VERSION: 'info',
}
const iconOf: Readonly<Record<string, IconName>> = { VALID: 'check', PARTIAL: 'warning', INVALID: 'ban', DUPLICATE: 'copy' }

const isWord = (status: string): status is 'VALID' | 'PARTIAL' | 'INVALID' | 'DUPLICATE' | 'UNKNOWN_VERSION' =>
  Object.hasOwn(toneOf, status)

export function VerdictCard({ packet, status, statusField, reasonField, onShow }: VerdictCardProps) {
  const sayLabel = useSay()
  const name = statusField?.type === 'status' ? sayLabel(choiceLabel(statusField, status)) : status
  const isNoted = status === 'VALID' && packet.reasons.length > 0
  return (
    <section
      className={`ui-card packet-verdict ui-tone-${toneOf[status] ?? 'idle'}`}
      aria-label={sayLabel(packetWords.verdict)}
    >
      <div className="packet-verdict-head">
        <span className="packet-verdict-icon">
          <Icon name={iconOf[status] ?? 'info'} sizePx={20} />
        </span>
        <div>
          <h2>{name}</h2>
          <p>{isWord(status) && sayLabel(isNoted ? packetWords.NOTED : packetWords[status])}</p>
        </div>
        <Checksum packet={packet} />
      </div>
      {packet.reasons.length > 0 && (
        <ul className="packet-reasons">
          {packet.reasons.map((reason) => (
            <Reason key={`${reason.code} ${reason.offset} ${reason.field}`} {...{ reason, reasonField, onShow }} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Shown for valid packets, too: the checksum is the evidence of their validity. */
function Checksum({ packet }: { packet: Packet }) {
  const sayLabel = useSay()
  const sum = packet.fields.find(({ name }) => name === 'crc')
  if (!sum?.ok) return null
  return (
    <p className="packet-sum">
      <span>{sayLabel(packetWords.checksum)}</span> <code>{sum.raw}</code>
      <Icon name="check" sizePx={14} /> {sayLabel(packetWords.matches)}
    </p>
  )
}

const severityMarks: Readonly<Record<string, ByteMark>> = { ERROR: 'bad', WARNING: 'warn', NOTE: 'info' }
const sumLabels: readonly [Label, Label] = [packetWords.counted, packetWords.sent]
const plainLabels: readonly [Label, Label] = [packetWords.expected, packetWords.actual]

type ReasonProps = { reason: PacketReason; reasonField: Field | undefined; onShow: (at: number) => void }

function Reason({ reason, reasonField, onShow }: ReasonProps) {
  const sayLabel = useSay()
  const language = useLanguage()
  const { code, severity, offset, length = 1, expected, actual, suspectOffset } = reason
  const options = reasonField?.type === 'tags' ? reasonField.options : undefined
  const title = choiceLabel({ type: 'enum', label: [code, code], options: options ?? [] }, code)
  const means = reasonWords[code]
  const [expectedLabel, actualLabel] = code === 'CRC_MISMATCH' ? sumLabels : plainLabels
  const mark = severityMarks[severity] ?? 'info'
  return (
    <li className={`packet-reason ui-tone-${mark}`}>
      <p className="packet-reason-title">
        <span className={`ui-dot ui-dot-${mark}`} aria-hidden="true" />
        {sayLabel(title)} <code>{code}</code>
      </p>
      {means && <p>{sayLabel(means)}</p>}
      <dl className="packet-facts">
        <Fact label={expectedLabel}>{factText(expected, language)}</Fact>
        <Fact label={actualLabel}>{factText(actual, language)}</Fact>
      </dl>
      {suspectOffset !== undefined && <p>{sayLabel(packetWords.suspect, { at: suspectOffset })}</p>}
      <p className="ui-actions">
        {offset !== undefined && <Show at={offset} length={length} onShow={onShow} />}
        {suspectOffset !== undefined && <Show at={suspectOffset} length={1} onShow={onShow} />}
      </p>
    </li>
  )
}

const Fact = ({ label, children }: { label: Label; children: ReactNode }) => (
  <div>
    <dt>{useSay()(label)}</dt>
    <dd>
      <code>{children}</code>
    </dd>
  </div>
)

function Show({ at, length, onShow }: { at: number; length: number; onShow: (at: number) => void }) {
  const sayLabel = useSay()
  const text = sayLabel(length > 1 ? packetWords.showBytes : packetWords.showByte, { from: at, to: at + length - 1 })
  return (
    <Button kind="text" size="small" icon="eye" onClick={() => onShow(at)}>
      {text}
    </Button>
  )
}
