import { isObject } from '#schema/is-object.ts'
import type { ChannelValue } from '#widgets/telemetry/channel-text.ts'

/** A value of the newest sample; `quality` is GOOD, DOUBTED, MISSING, or ESTIMATED (dated by its arrival). */
export type Measured = { value: ChannelValue; quality: string }

/** Normal range; null = unbounded on that side. */
export type NormalRange = { low: number | null; high: number | null }

/** The measuring board with its configuration. `ranges`: value ranges without a warning, by code; only for a single board. */
export type MeasuringBoard = {
  id: string
  code: string
  cause: string
  configuration: Readonly<Record<string, unknown>>
  ranges: Readonly<Record<string, NormalRange>>
}

export type LastTelemetry = {
  /** Time of the measurement; null without one. */
  at: string | null
  stale: boolean
  channels: Readonly<Record<string, Measured>>
  board: MeasuringBoard | null
}

const plainValue = (value: unknown): ChannelValue => (typeof value === 'number' || typeof value === 'string' ? value : null)

const channelsOf = (from: unknown): Record<string, Measured> =>
  Object.fromEntries(
    Object.entries(isObject(from) ? from : {}).flatMap(([name, channel]) =>
      isObject(channel) ? [[name, { value: plainValue(channel.value), quality: String(channel.quality) }]] : [],
    ),
  )

const boundOf = (value: unknown) => (typeof value === 'number' ? value : null)
const rangesOf = (from: unknown): Record<string, NormalRange> =>
  Object.fromEntries(
    Object.entries(isObject(from) ? from : {}).flatMap(([code, range]) =>
      isObject(range) ? [[code, { low: boundOf(range.low), high: boundOf(range.high) }]] : [],
    ),
  )

const boardOf = (from: unknown): MeasuringBoard | null =>
  isObject(from)
    ? {
        id: String(from.id),
        code: String(from.code),
        cause: String(from.cause),
        configuration: isObject(from.configuration) ? from.configuration : {},
        ranges: rangesOf(from.ranges),
      }
    : null

const measured = (value: number): Measured => ({ value, quality: 'GOOD' })

/** Placeholder values: drawn as grey boxes while telemetry loads, so that it needs no more height when it comes. */
export const comingTelemetry: LastTelemetry = {
  at: null,
  stale: false,
  channels: { socPct: measured(50), energyAvailableWh: measured(1000), loadPowerW: measured(1000) },
  board: { id: '', code: '', cause: 'OK', configuration: { backupReservePct: 20 }, ranges: {} },
}

/** The answer of `last-telemetry`. */
export function readLastTelemetry(data: unknown): LastTelemetry | undefined {
  if (!isObject(data) || !isObject(data.channels)) return undefined
  return {
    at: typeof data.at === 'string' ? data.at : null,
    stale: data.stale !== false,
    channels: channelsOf(data.channels),
    board: boardOf(data.board),
  }
}

/** A channel as a number; null where nothing was measured. */
export function numberAt({ channels }: LastTelemetry, name: string): number | null {
  const value = channels[name]?.value
  return typeof value === 'number' ? value : null
}

/** A numeric setting that the board runs with. */
export function settingOf({ board }: LastTelemetry, name: string): number | null {
  const value = board?.configuration[name]
  return typeof value === 'number' ? value : null
}
