import { channels, type NamedChannel } from '#server/frames/channels.ts'

type SampleValue = number | string | null

/** PostgreSQL type of a channel's column in `telemetry`. */
export function columnType({ kind, rollUp, column }: NamedChannel): string {
  if (column) return column
  if (kind === 'place') return 'int4'
  if (rollUp === 'state') return 'int2'
  return rollUp === 'mean' ? 'float4' : 'int8'
}

type Codec = {
  store: (value: string, channel: NamedChannel) => number | null
  show: (stored: number, channel: NamedChannel) => string
}

const optionsOf = ({ options }: NamedChannel): readonly string[] => options ?? []

const codecs: Partial<Record<NamedChannel['kind'], Codec>> = {
  code: {
    store: (value, channel) => {
      const index = optionsOf(channel).indexOf(value)
      return index < 0 ? null : index
    },
    show: (stored, channel) => optionsOf(channel)[stored] ?? String(stored),
  },
  place: {
    store: (value) => {
      const [, module, cell] = /^m(\d+)\/c(\d+)$/.exec(value) ?? []
      return module && cell ? Number(module) * 256 + Number(cell) : null
    },
    show: (stored) => `m${stored >> 8}/c${String(stored & 255).padStart(2, '0')}`,
  },
}

/** Stored form of a value: states as codes, cell positions as module × 256 + cell. */
export function storedValue(channel: NamedChannel, value: SampleValue | undefined): number | null {
  if (typeof value === 'string') return codecs[channel.kind]?.store(value, channel) ?? null
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Value of a stored number, as it came in the sample: the inverse of `storedValue`. */
export function shownValue(channel: NamedChannel, stored: number | null): SampleValue {
  if (stored === null) return null
  const codec = codecs[channel.kind]
  return codec ? codec.show(stored, channel) : stored
}

/** Channels for charts: all except cell positions, which are in samples only. */
export const chartChannels: readonly NamedChannel[] = channels.filter(({ rollUp }) => rollUp !== 'none')

export const qualities = ['GOOD', 'PARTIAL', 'ESTIMATED'] as const

/** A condition on the samples of an alias, as text: true where the clock was right. One of a wrong clock belongs to no time. */
export const hasOwnTime = (alias: string): string => `"${alias}"."quality" <> ${qualities.indexOf('ESTIMATED')}`
