import { formatUtc } from '#fields/time/time-format.ts'
import { factsOf, isChannel } from '#resources/fleet/channel-of.ts'
import { choiceLabel, hasChoices } from '#schema/facts/choices.ts'
import type { Fields } from '#schema/field-types.ts'
import { formatBytes, formatNumber } from '#schema/format/format.ts'
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

/** Text of a frame field, with the words of `choices` for its codes; empty for a value not sent. */
export function valueText({ name, value }: Named, language: Language, choices: Fields = {}): string {
  if (value === null || value === undefined) return ''
  if (!isPlain(value)) return JSON.stringify(value)
  const own = choices[name]
  if (own && hasChoices(own)) return say(choiceLabel(own, String(value)), language)
  if (isChannel(name)) return channelText(name, value, language, { exact: true })
  const write = writers[name]
  if (write) return write(value ?? '', language)
  return typeof value === 'number' ? formatNumber(value, digitsOf(value), language) : String(value)
}

const flagFields: ReadonlySet<string> = new Set(['eventFlags', 'raisedFlags', 'clearedFlags'])

/** The code behind a text: the name of a choice or state, or the bits of flags; undefined without one. */
export function codeText({ name, value, raw }: Named & Pick<PacketField, 'raw'>, choices: Fields = {}): string | undefined {
  if (flagFields.has(name)) return typeof value === 'number' ? `0x${raw}` : undefined
  const isWorded = isChannel(name) ? factsOf(name).states !== undefined : choices[name] && hasChoices(choices[name])
  return isWorded && typeof value === 'string' ? value : undefined
}
