import { factsOf } from '#resources/fleet/channel-of.ts'
import { unitStep } from '#schema/format/units.ts'
import { type Label, type Language, say } from '#schema/words.ts'
import type { ChartLane, ChartSeries, ChartSpan, ChartValues } from '#ui/chart/chart-types.ts'
import { type ChannelValue, channelText } from '#widgets/telemetry/channel-text.ts'
import type { Panel } from './panels.ts'
import type { SeriesData } from './series-data.ts'
import { stateColor } from './state-colors.ts'

const numbers = (values: readonly ChannelValue[] | undefined): (number | null)[] =>
  (values ?? []).map((value) => (typeof value === 'number' ? value : null))
const negative = (values: readonly (number | null)[]) => values.map((value) => (value === null ? null : -value))

/** A band needs steps with several values. */
const isWide = (low: readonly (number | null)[], high: readonly (number | null)[]) =>
  low.some((value, index) => value !== null && value !== high[index])

/** The lines, or bars, of a panel. */
export function seriesOfPanel({ lines, kind }: Panel, { channels }: SeriesData): ChartSeries[] {
  if (kind === 'lane') return []
  return lines.map(({ channel, color, dash, mirrored }): ChartSeries => {
    const series = channels[channel]
    const [values, min, max] = [numbers(series?.avg), series?.min ?? [], series?.max ?? []]
    const [low, high] = mirrored ? [negative(max), negative(min)] : [min, max]
    return {
      key: channel,
      color,
      dash,
      values: mirrored ? negative(values) : values,
      ...(kind !== 'bar' && isWide(low, high) ? { low, high } : {}),
    }
  })
}

const isNothing = (value: ChannelValue | undefined) => value === null || value === undefined || value === 0

/** Spans of equal states with their labels. */
export function lanesOfPanel({ lines, kind }: Panel, { channels, times, stepMs }: SeriesData, language: Language): ChartLane[] {
  if (kind !== 'lane') return []
  return lines.map(({ channel, color }): ChartLane => {
    const spans: ChartSpan[] = []
    const values = channels[channel]?.avg ?? []
    let start = 0
    for (let index = 1; index <= times.length; index += 1) {
      if (index < times.length && values[index] === values[start]) continue
      const [value, fromMs] = [values[start], times[start]]
      if (value !== undefined && !isNothing(value) && fromMs !== undefined) {
        const text = channelText(channel, value, language)
        spans.push({
          fromMs,
          toMs: (times[index - 1] ?? fromMs) + stepMs,
          text,
          color: typeof value === 'string' ? stateColor(value) : color,
        })
      }
      start = index
    }
    return { key: channel, label: say(factsOf(channel).label, language), spans }
  })
}

type AxisUnit = { divide: number; symbol: Label | undefined }

const hours: AxisUnit = { divide: 3_600, symbol: ['h', 'ч'] }

/** Values converted to the axis unit. */
export function inUnit(series: readonly ChartSeries[], divide: number): ChartSeries[] {
  const scaled = (values: ChartValues) => values.map((value) => (value === null ? null : value / divide))
  return series.map(({ values, low, high, ...rest }) => ({
    ...rest,
    values: scaled(values),
    ...(low && high ? { low: scaled(low), high: scaled(high) } : {}),
  }))
}

/** The most readable unit of a panel, by its largest shown value. */
export function unitOfPanel({ lines }: Panel, series: readonly ChartSeries[]): AxisUnit {
  const unit = lines[0] && factsOf(lines[0].channel).unit
  if (!unit) return { divide: 1, symbol: undefined }
  if (unit === 's') return hours
  const largest = series.reduce(
    (most, { values, high = [], low = [] }) =>
      [...values, ...high, ...low].reduce<number>((known, value) => Math.max(known, Math.abs(value ?? 0)), most),
    0,
  )
  return unitStep(unit, largest)
}
