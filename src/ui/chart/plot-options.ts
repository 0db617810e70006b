import uPlot from 'uplot'
import type { ThemeName } from '#ui/theme/tokens.ts'
import { chartPalette, faded, lineColors } from './chart-colors.ts'
import type { ChartLane, ChartSeries, ChartSpan, TimeWindow } from './chart-types.ts'
import { drawGaps, drawLanes, drawSpans } from './draw-marks.ts'
import { lonePoints } from './gap-spans.ts'
import { tickTexts } from './time-ticks.ts'

/** Line style: lines between points, or steps. */
export type ChartKind = 'line' | 'bar'

export type PlotLook = {
  theme: ThemeName
  locale: string
  /** IANA name; undefined = the browser's. */
  zone: string | undefined
  kind: ChartKind
  /** Fixed limits of the axis. */
  range?: readonly [min: number, max: number] | undefined
  /** The axis includes zero. */
  hasZero?: boolean | undefined
}

/** Marks drawn on each redraw. */
export type PlotMarks = { gaps: readonly TimeWindow[]; spans: readonly ChartSpan[]; lanes: readonly ChartLane[] }

export type PlotEvents = {
  marks: () => PlotMarks
  window: () => TimeWindow
  onPoint: (index: number | undefined) => void
  onSelect: (window: TimeWindow) => void
  onReset: () => void
  onPick: () => void
}

/** A canvas knows no variables. */
const fontOf = () => getComputedStyle(document.body).fontFamily
const axisWidthPx = 54
const shortestDragPx = 6

/** As many digits as the tick distance needs. */
const digitsOf = (step: number) =>
  [0, 1, 2].find((digits) => Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) < 1e-6) ?? 3

function yTexts({ locale }: PlotLook, values: readonly number[], step: number): string[] {
  const digits = digitsOf(step)
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return values.map((value) => format.format(value))
}

function yRange({ range, hasZero }: PlotLook): uPlot.Scale.Range {
  if (range) return [...range]
  const soft = hasZero ? { soft: 0, mode: 1 as const } : {}
  return (_plot, min, max) =>
    min === null || max === null
      ? [0, 1]
      : uPlot.rangeNum(min, max, { min: { pad: 0.08, ...soft }, max: { pad: 0.08, ...soft } })
}

/** A line and the band between minimum and maximum behind it: three data rows, in this order. */
function seriesOf({ color, dash }: ChartSeries, { theme, kind }: PlotLook): uPlot.Series[] {
  const stroke = lineColors[theme][color]
  const edge: uPlot.Series = { stroke: 'transparent', width: 0, points: { show: false } }
  if (kind === 'bar') {
    const paths = uPlot.paths.stepped?.({ align: 1 })
    return [edge, edge, { stroke, width: 1.5, fill: faded(stroke, 0.14), points: { show: false }, ...(paths ? { paths } : {}) }]
  }
  const isLone: uPlot.Series.Points.Filter = (plot, index) =>
    lonePoints(Array.from(plot.data[index] ?? [], (value) => value ?? null))
  const points: uPlot.Series.Points = { show: true, filter: isLone, size: 4, width: 0, fill: stroke }
  return [edge, edge, { stroke, width: 1.75, points, ...(dash ? { dash: [...dash] } : {}) }]
}

const bandsOf = (series: readonly ChartSeries[], { theme }: PlotLook): uPlot.Band[] =>
  series.map(({ color }, index) => ({ series: [index * 3 + 2, index * 3 + 1], fill: faded(lineColors[theme][color], 0.16) }))

function axesOf(look: PlotLook, hasValues: boolean): uPlot.Axis[] {
  const { grid, axis } = chartPalette(look.theme)
  const lines = { stroke: grid, width: 1 }
  const shared: uPlot.Axis = { stroke: axis, font: `11px ${fontOf()}`, grid: lines, ticks: { ...lines, size: 4 } }
  const x: uPlot.Axis = {
    ...shared,
    size: 38,
    space: 64,
    values: (_plot, ticks, _axis, _space, step) => tickTexts(ticks, step, look),
  }
  const y: uPlot.Axis = {
    ...shared,
    size: axisWidthPx,
    space: 34,
    values: (_plot, ticks, _axis, _space, step) => yTexts(look, ticks, step),
  }
  return [x, hasValues ? y : { ...shared, size: axisWidthPx, values: () => [], grid: { show: false }, ticks: { show: false } }]
}

function cursorOf({ onReset, onPick }: PlotEvents): uPlot.Cursor {
  return {
    y: false,
    drag: { x: true, y: false, setScale: false, dist: shortestDragPx },
    // The edges of bands have no points of their own.
    points: { size: (_plot, index) => (index % 3 === 0 ? 7 : 0) },
    bind: {
      dblclick: () => () => {
        onReset()
        return null
      },
      click: (plot) => () => {
        if (plot.select.width < shortestDragPx) onPick()
        return null
      },
    },
  }
}

function hooksOf(series: readonly ChartSeries[], look: PlotLook, events: PlotEvents): uPlot.Hooks.Arrays {
  const { marks, onPoint, onSelect } = events
  return {
    drawClear: [
      (plot) => {
        drawGaps(plot, marks().gaps, look.theme)
        drawSpans(plot, marks().spans, look.theme)
      },
    ],
    draw: series.length > 0 ? [] : [(plot) => drawLanes(plot, marks().lanes, look.theme, fontOf())],
    setCursor: [(plot) => onPoint(plot.cursor.idx ?? undefined)],
    setSelect: [
      (plot) => {
        const { left, width } = plot.select
        if (width < shortestDragPx) return
        onSelect({ fromMs: plot.posToVal(left, 'x'), toMs: plot.posToVal(left + width, 'x') })
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
      },
    ],
  }
}

/** uPlot options of a time chart whose series share one unit. */
export function plotOptions(
  series: readonly ChartSeries[],
  look: PlotLook,
  events: PlotEvents,
): Omit<uPlot.Options, 'width' | 'height'> {
  const { zone } = look
  return {
    ms: 1,
    ...(zone ? { tzDate: (atMs: number) => uPlot.tzDate(new Date(atMs), zone) } : { tzDate: (atMs: number) => new Date(atMs) }),
    legend: { show: false },
    // Half of the last axis label extends beyond the grid.
    padding: [8, 20, 0, 0],
    scales: {
      x: { time: true, range: () => [events.window().fromMs, events.window().toMs] },
      y: { range: series.length > 0 ? yRange(look) : [0, 1] },
    },
    axes: axesOf(look, series.length > 0),
    series: [{}, ...series.flatMap((each) => seriesOf(each, look))],
    bands: bandsOf(series, look),
    cursor: cursorOf(events),
    hooks: hooksOf(series, look, events),
  }
}

const empty = (times: readonly number[]) => times.map(() => null)

/** The rows that uPlot wants: times, then low, high and value of each series. */
export function plotData(times: readonly number[], series: readonly ChartSeries[]): uPlot.AlignedData {
  const rows = series.flatMap(({ values, low, high }) => [[...(low ?? empty(times))], [...(high ?? empty(times))], [...values]])
  return [[...times], ...rows]
}
