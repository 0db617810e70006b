import { type Channel, factsOf } from '#resources/fleet/channel-of.ts'
import type { Bounds } from '#resources/fleet/channel-row.ts'
import { type LastTelemetry, type NormalRange, numberAt, settingOf } from '#widgets/energy/last-telemetry.ts'

/** A bound: `-setting.chargePowerLimitW` is a negated board setting, `channel.…` another value of the sample. */
function boundAt(bound: Bounds[number], last: LastTelemetry): number | null {
  const [, minus, source, name = ''] = /^(-?)(setting|channel)\.(.+)$/.exec(bound ?? '') ?? []
  const value = source === 'setting' ? settingOf(last, name) : numberAt(last, name)
  return value !== null && minus ? -value : value
}

const isCharging = (last: LastTelemetry) => (numberAt(last, 'batteryPowerW') ?? 0) < 0

/** Current normal range of a channel: board settings, or the level at which its warning starts. Undefined where it has none. */
export function normalRange(name: Channel, last: LastTelemetry): NormalRange | undefined {
  const { normal } = factsOf(name)
  if (!normal) return undefined
  if ('warning' in normal) return last.board?.ranges[normal.warning]
  const [low, high] = (isCharging(last) ? normal.whileCharging : undefined) ?? normal.bounds
  const range = { low: boundAt(low, last), high: boundAt(high, last) }
  return range.low !== null || range.high !== null ? range : undefined
}

export const isOutside = (value: number, { low, high }: NormalRange): boolean =>
  (low !== null && value < low) || (high !== null && value > high)
