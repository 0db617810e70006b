import type { Channel } from '#resources/fleet/channel-of.ts'
import { dayMs, hourMs, minuteMs } from '#schema/format/durations.ts'
import { isTime } from '#schema/format/time-text.ts'
import type { Label } from '#schema/words.ts'
import { chartChannels } from './panel/panels.ts'

/** Periods that a chart offers; each ends at the present time. */
export const ranges = {
  '1h': { label: ['1 h', '1 ч'], ms: hourMs },
  '6h': { label: ['6 h', '6 ч'], ms: 6 * hourMs },
  '24h': { label: ['24 h', '24 ч'], ms: dayMs },
  '7d': { label: ['7 d', '7 д'], ms: 7 * dayMs },
  '31d': { label: ['31 d', '31 д'], ms: 31 * dayMs },
  '3mo': { label: ['3 mo', '3 мес'], ms: 92 * dayMs },
  '12mo': { label: ['12 mo', '12 мес'], ms: 365 * dayMs },
} as const satisfies Record<string, { label: Label; ms: number }>

export type RangeName = keyof typeof ranges
const usualRange: RangeName = '24h'
const isRange = (text: string | null): text is RangeName => text !== null && Object.hasOwn(ranges, text)

/** Time zone of the axis: the site's, the viewer's, or UTC. */
export const zones = ['site', 'own', 'utc'] as const
export type ZoneName = (typeof zones)[number]
const isZone = (text: string | null): text is ZoneName => zones.some((zone) => zone === text)

/** State of the charts, stored in the address only. `window`: a fixed span, else a range that ends now. */
export type ChartState = {
  range: RangeName
  window?: { fromMs: number; toMs: number }
  channels?: readonly Channel[]
  zone: ZoneName
  hasTable: boolean
  /** Pinned time. */
  atMs?: number
}

/** The server refuses longer ranges, and shorter ones have no points to show. */
const shortestMs = 5 * minuteMs
const longestMs = 20 * 365 * dayMs

const timeOf = (text: string | null): number | undefined => (text && isTime(text) ? Date.parse(text) : undefined)
const isSound = (fromMs: number, toMs: number) => toMs - fromMs > 0 && toMs - fromMs <= longestMs

/** Lenient parser of the query string: invalid parts are ignored. */
export function readState(params: URLSearchParams): ChartState {
  const [fromMs, toMs, atMs] = [timeOf(params.get('from')), timeOf(params.get('to')), timeOf(params.get('at'))]
  const [range, zone] = [params.get('range'), params.get('zone')]
  const asked = params.get('channels')?.split(',')
  const channels = asked && chartChannels.filter((name) => asked.includes(name))
  return {
    range: isRange(range) ? range : usualRange,
    zone: isZone(zone) ? zone : 'site',
    hasTable: params.has('table'),
    ...(fromMs !== undefined && toMs !== undefined && isSound(fromMs, toMs) ? { window: { fromMs, toMs } } : {}),
    ...(channels && channels.length > 0 ? { channels } : {}),
    ...(atMs === undefined ? {} : { atMs }),
  }
}

const isoOf = (atMs: number) => new Date(atMs).toISOString().replace('.000Z', 'Z')

/** Query string of a state, without defaults. */
export function writeState({ range, window, channels, zone, hasTable, atMs }: ChartState): URLSearchParams {
  const params = new URLSearchParams()
  if (range !== usualRange) params.set('range', range)
  if (window) {
    params.set('from', isoOf(window.fromMs))
    params.set('to', isoOf(window.toMs))
  }
  if (channels) params.set('channels', channels.join(','))
  if (zone !== 'site') params.set('zone', zone)
  if (hasTable) params.set('table', '1')
  if (atMs !== undefined) params.set('at', isoOf(atMs))
  return params
}

/** Clamps a span to what can be requested: whole seconds, minimum length, not after now. */
export function soundWindow(
  { fromMs, toMs }: { fromMs: number; toMs: number },
  nowMs: number,
): { fromMs: number; toMs: number } {
  const lengthMs = Math.min(longestMs, Math.max(shortestMs, toMs - fromMs))
  const middleMs = (fromMs + toMs) / 2
  const end = Math.min(nowMs, middleMs + lengthMs / 2)
  const second = (ms: number) => Math.round(ms / 1000) * 1000
  return { fromMs: second(end - lengthMs), toMs: second(end) }
}
