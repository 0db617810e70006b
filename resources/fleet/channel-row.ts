import type { Unit } from '#schema/format/units.ts'
import type { Label } from '#schema/words.ts'
import type { ChannelGroup, ChartPanel } from './channel-panels.ts'

/**
 * How a channel becomes one value of a longer time. `mean`: time-weighted mean with the extremes. `counter`: the growth.
 * `state`: the last one. `flags`: all that were set. `none`: kept in samples only.
 */
export type RollUp = 'mean' | 'counter' | 'state' | 'flags' | 'none'

/** Limits that follow from the nameplate of a site; the decoder has a function for each. */
export type SiteLimit = 'cellMv' | 'packV' | 'batteryW' | 'batteryA' | 'storedWh' | 'pvW' | 'gridW' | 'loadW'

/** Bound of a counter's growth by what feeds it; the decoder and the roll-ups have its rate for each site. */
export type CounterFeed = 'charge' | 'discharge' | 'solar' | 'grid' | 'load' | 'cycles'

/** `status`: in the head of every payload. `sample`: in the telemetry payload behind it. `derived`: computed when a sample is stored. */
export type WirePart = 'status' | 'sample' | 'derived'

/** `line`: place in the legend, where it is not the order of the rows. `mirrored`: drawn below zero, since it limits what is below zero. */
type ChannelChart = {
  panel: ChartPanel
  color: 'amber' | 'blue' | 'green' | 'pink' | 'red' | 'slate' | 'teal' | 'violet'
  dash?: 'fine' | 'faint'
  line?: number
  mirrored?: true
  /** Shown by default. */
  usual?: true
}

/** A setting of the board or another channel of the sample; null = no bound on that side. */
type Bound = `${'' | '-'}${'setting' | 'channel'}.${string}` | null
export type Bounds = readonly [low: Bound, high: Bound]

/** Normal range: fixed bounds, other bounds while charged, or below a warning's first level. */
export type NormalRule = { bounds: Bounds; whileCharging?: Bounds } | { warning: string }

/** Label of the sign, shown with the value. */
type Signs = readonly [aboveZero: Label, belowZero: Label]

/**
 * One channel of a sample. `digits`: decimals, of the text and of the scaled integer on the wire. `states`: words of the codes, in the
 * order of the wire. `wire`: part of the payload, offset of the first byte in it, kind. `limits`: a value outside of them is impossible.
 * `sensor`: what moves its value; one that stands still meanwhile is broken. `lifetime`: never falls, and grows
 * no faster than its feed allows. `column`: where the roll-up does not decide the type.
 */
export type ChannelRow = {
  label: Label
  unit?: Unit
  digits?: number
  signs?: Signs
  states?: Readonly<Record<string, Label>>
  wire: readonly [part: WirePart, offset: number, kind: 'u8' | 'u16' | 'u32' | 'u64' | 'i16' | 'i32' | 'code' | 'place']
  limits?: readonly [min: number, max: number] | SiteLimit
  sensor?: 'current' | 'temperature'
  lifetime?: CounterFeed
  column?: 'float8' | 'int8'
  group: ChannelGroup
  normal?: NormalRule
} & ({ rollUp: Exclude<RollUp, 'none'>; chart: ChannelChart } | { rollUp: 'none'; chart?: never })
