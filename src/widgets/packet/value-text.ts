import { formatUtc } from '#fields/time/time-format.ts'
import { isChannel } from '#resources/fleet/channel-of.ts'
import { choiceLabel } from '#schema/facts/choices.ts'
import { formatBytes, formatNumber } from '#schema/format/format.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Language, say } from '#schema/words.ts'
import { type ChannelValue, channelText } from '#widgets/telemetry/channel-text.ts'
import type { PacketField } from './packet-data.ts'

const isPlain = (value: unknown): value is ChannelValue =>
  value === null || typeof value === 'number' || typeof value === 'string'

type Writer = (value: string | number, language: Language) => string

const asFlags: Writer = (value, language) => channelText('eventFlags', value, language)
const asBytes: Writer = (value, language) => (typeof value === 'number' ? formatBytes(value, language) : value)

/** Fields with a display format of their own. */
const writers: Readonly<Record<string, Writer>> = {
  deviceTime: (value) => formatUtc(String(value)).replace('.000', ''),
  raisedFlags: asFlags,
  clearedFlags: asFlags,
  freeHeapB: asBytes,
  receivedB: asBytes,
  progressPct: (value, language) => `${value}${say(['%', ' %'], language)}`,
}

const digitsOf = (value: number) => (/\.(\d+)/.exec(String(value))?.[1] ?? '').length

type Named = Pick<PacketField, 'name' | 'value'>

/** Text of a frame field, formatted by the resource's field if there is one; empty for a value not sent. */
export function valueText({ name, value }: Named, language: Language, fields: AnyResource['fields'] = {}): string {
  if (value === null || value === undefined) return ''
  if (!isPlain(value)) return JSON.stringify(value)
  const own = fields[name]
  if (own?.type === 'enum') return say(choiceLabel(own, String(value)), language)
  if (isChannel(name)) return channelText(name, value, language, { exact: true })
  const write = writers[name]
  if (write) return write(value ?? '', language)
  return typeof value === 'number' ? formatNumber(value, digitsOf(value), language) : String(value)
}
