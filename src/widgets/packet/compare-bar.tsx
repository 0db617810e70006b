import { useConsole, useDefinitions, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { formatMoment } from '#fields/time/time-format.ts'
import { minuteMs } from '#schema/format/durations.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Checkbox } from '#ui/input/checkbox.tsx'
import { Link } from '#ui/layout/link.tsx'
import { recordPath } from '#views/shared/paths.ts'
import { problemOf } from '#views/shared/problem.ts'
import type { Packet, PacketField } from './packet-data.ts'
import { packetWords } from './packet-words.ts'

export type CompareBarProps = {
  resource: AnyResource
  record: Row
  packet: Packet
  other: Packet | undefined
  changed: ReadonlySet<number>
  before: ReadonlyMap<string, PacketField> | undefined
  isOn: boolean
  last: { data: Row | null | undefined; error: Error | null }
  onChange: (isOn: boolean) => void
}

/** Toggles the comparison with the last valid packet and shows the number of differences. */
export function CompareBar({ isOn, onChange, record, ...rest }: CompareBarProps) {
  const sayLabel = useSay()
  if (typeof record.controlPcbId !== 'string') return null
  const hasNone = rest.last.data === null
  return (
    <div className="packet-compare">
      <Checkbox checked={isOn && !hasNone} disabled={hasNone} onChange={onChange}>
        {sayLabel(packetWords.compare)}
      </Checkbox>
      <TelemetryLink record={record} />
      <span role="status">{(isOn || hasNone) && <Outcome {...rest} />}</span>
    </div>
  )
}

/** With a wrong clock the arrival time is used. */
const clockReasons = ['CLOCK_FUTURE', 'CLOCK_PAST']
const aroundMs = 30 * minuteMs

/** Link to the telemetry around the packet, for packets with measurements. */
function TelemetryLink({ record }: { record: Row }) {
  const sayLabel = useSay()
  const board = useDefinitions().get('control-pcb')
  const hasTime =
    record.status !== 'INVALID' && !clockReasons.some((code) => Array.isArray(record.reason) && record.reason.includes(code))
  const atMs = Date.parse(String(hasTime ? record.deviceTime : record.receivedAt))
  if (!board?.tabs?.telemetry || record.type !== 'TELEMETRY' || Number.isNaN(atMs)) return null
  const [from = '', at = '', to = ''] = [atMs - aroundMs, atMs, atMs + aroundMs].map((ms) => new Date(ms).toISOString())
  const query = new URLSearchParams({ from, to, at })
  return (
    <Link className="ui-link" href={`${recordPath(board, String(record.controlPcbId), 'telemetry')}?${query}`}>
      {sayLabel(packetWords.telemetry)}
    </Link>
  )
}

type OutcomeProps = Omit<CompareBarProps, 'isOn' | 'onChange' | 'record'>

function Outcome({ resource, packet, other, changed, before, last }: OutcomeProps) {
  const sayLabel = useSay()
  const { language, zone } = useConsole()
  if (last.error) return problemOf(last.error).message
  if (last.data === undefined) return sayLabel(packetWords.comparing)
  if (last.data === null || !other) return sayLabel(packetWords.noneBefore)
  const fields = packet.fields.filter(({ name, raw }) => before?.get(name)?.raw !== raw).length
  return (
    <>
      {sayLabel(packetWords.compared, { bytes: changed.size, fields })}{' '}
      <Link href={recordPath(resource, String(last.data.id))}>
        {formatMoment(String(last.data.receivedAt), language, zone, 'medium')}
      </Link>
    </>
  )
}
