import { type Channel, type ChannelIn, channelNames, factsOf } from '#resources/fleet/channel-of.ts'
import type { ChannelRow, WirePart } from '#resources/fleet/channel-row.ts'
import { siteLimits } from './site-facts.ts'
import type { WireField } from './wire-field.ts'

/** A channel for decoder and database: its facts about bytes and columns. */
export type NamedChannel<Name extends Channel = Channel> = WireField &
  Pick<ChannelRow, 'rollUp' | 'sensor' | 'lifetime' | 'column'> & { name: Name; offset: number }

function limitsOf({ limits }: ChannelRow): WireField['limits'] {
  return typeof limits === 'string' ? siteLimits[limits] : limits && (() => limits)
}

function fieldOf<Name extends Channel>(name: Name): NamedChannel<Name> {
  const row = factsOf(name)
  const { wire, digits, unit, states, rollUp, sensor, lifetime, column } = row
  const [, offset, kind] = wire
  const limits = limitsOf(row)
  return {
    name,
    offset,
    kind,
    rollUp,
    ...(digits && { digits }),
    ...(unit && { unit }),
    ...(states && { options: Object.keys(states) }),
    ...(limits && { limits }),
    ...(sensor && { sensor }),
    ...(lifetime && { lifetime }),
    ...(column && { column }),
  }
}

const byOffset = (a: { offset: number }, b: { offset: number }) => a.offset - b.offset

const partOf = <Part extends WirePart>(part: Part) =>
  channelNames
    .filter((name): name is Channel & ChannelIn<Part> => factsOf(name).wire[0] === part)
    .map((name) => fieldOf(name))
    .toSorted(byOffset)

/** Board facts in the payload header that are no channels. */
const boardFields = [
  { offset: 0, name: 'firmwareVersion', kind: 'version' },
  { offset: 6, name: 'transport', kind: 'code', options: ['LTE', 'WIFI', 'ETH'] },
  { offset: 7, name: 'resetReason', kind: 'code', options: ['POWER_ON', 'BROWNOUT', 'WATCHDOG', 'SOFTWARE', 'FW_UPDATE'] },
  { offset: 8, name: 'rebootCount', kind: 'u16' },
  { offset: 20, name: 'freeHeapB', kind: 'u32' },
] as const satisfies readonly (WireField & { offset: number })[]

const statusChannels = partOf('status')

/** The header of every payload, in byte order; its channels are also part of a sample. */
export const statusFields = [...boardFields, ...statusChannels].toSorted(byOffset)

/** The rest of a telemetry payload, in byte order. */
export const measuredFields = partOf('sample')

/** All channels of a sample, in the column order of exports. */
export const channels: readonly NamedChannel[] = [...measuredFields, ...partOf('derived'), ...statusChannels]

const byName: ReadonlyMap<string, NamedChannel> = new Map(channels.map((channel) => [channel.name, channel]))

export const channelOf = (name: string): NamedChannel | undefined => byName.get(name)
