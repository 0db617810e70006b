import type { ChannelIn } from '#resources/fleet/channel-of.ts'

type Values = Readonly<Record<string, unknown>>

const difference = (high: unknown, low: unknown): number | null =>
  typeof high === 'number' && typeof low === 'number' ? high - low : null

/** Channels that no payload has, computed from the other values of a sample; null where one of these was not measured. */
const derivedChannels: Readonly<Record<ChannelIn<'derived'>, (values: Values) => number | null>> = {
  cellDeltaMv: ({ cellVoltageMaxMv, cellVoltageMinMv }) => difference(cellVoltageMaxMv, cellVoltageMinMv),
}

const rows = new Map<string, (values: Values) => number | null>(Object.entries(derivedChannels))

/** Sets the derived channels in the values of a sample. */
export function setDerived(values: Record<string, unknown>): void {
  for (const [name, compute] of rows) values[name] = compute(values)
}

/** Value of a channel in readings that have no derived channels of their own. */
export const channelValue = (readings: Values, name: string): unknown => rows.get(name)?.(readings) ?? readings[name]
