import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useWidth } from '#ui/layout/use-width.ts'
import { useTheme } from '#ui/theme/theme.ts'
import './chart.css'
import type { ChartLane, ChartSeries, ChartSpan, TimeWindow } from './chart-types.ts'
import type { CursorStore } from './cursor-store.ts'
import { gapSpans } from './gap-spans.ts'
import { type PlotLook, type PlotMarks, plotData, plotOptions } from './plot-options.ts'

export type TimeChartProps = Omit<PlotLook, 'theme'> & {
  /** Accessible name of the chart. */
  label: string
  /** Text at a time, announced on keyboard movement. */
  textAt: (index: number) => string
  times: readonly number[]
  stepMs: number
  window: TimeWindow
  series: readonly ChartSeries[]
  lanes?: readonly ChartLane[] | undefined
  spans?: readonly ChartSpan[] | undefined
  heightPx: number
  cursor: CursorStore
  /** A time range was selected by dragging, or with + on the keyboard. */
  onSelect: (window: TimeWindow) => void
  /** Resets the zoom: double click or Esc. */
  onReset: () => void
  /** A time was clicked. */
  onPick: (atMs: number) => void
}

const noLanes: readonly ChartLane[] = []
const noSpans: readonly ChartSpan[] = []

/** Measured values over time on a canvas. Mouse: hover, drag to zoom, double click to reset. Keyboard: arrows, +, Esc. */
export function TimeChart(props: TimeChartProps) {
  const { theme } = useTheme()
  const host = useRef<HTMLDivElement>(null)
  const slider = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(props)
  latest.current = props
  const widthPx = useWidth(host)
  const { series, times, window, heightPx, cursor, label, locale, zone, kind, range, hasZero, lanes, spans } = props
  // Inputs that rebuild the plot; other changes only redraw it.
  const shape = JSON.stringify([
    series.map(({ key, color, dash }) => [key, color, dash]),
    theme,
    locale,
    zone,
    kind,
    range,
    hasZero,
  ])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` stands for what the options are made of
  useLayoutEffect(() => {
    if (!host.current || widthPx === 0) return
    const made = makePlot(host.current, latest, { theme, widthPx })
    plot.current = made
    return () => {
      plot.current = undefined
      made.destroy()
    }
  }, [shape, widthPx > 0])
  useLayoutEffect(() => {
    if (widthPx > 0) plot.current?.setSize({ width: widthPx, height: heightPx })
  }, [widthPx, heightPx])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the window, the lanes and the spans are drawn, too
  useLayoutEffect(() => {
    plot.current?.setData(plotData(times, series))
  }, [times, series, window.fromMs, window.toMs, lanes, spans])
  useEffect(() => followCursor({ cursor, plot, slider, latest }), [cursor])

  return (
    <div className="chart">
      <div
        ref={slider}
        className="chart-keys"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={Math.max(0, times.length - 1)}
        onKeyDown={(event) => handleKey(event, latest.current)}
        onBlur={() => cursor.point(undefined)}
      />
      <div ref={host} style={{ height: heightPx }} aria-hidden="true" />
    </div>
  )
}

type Latest = { readonly current: TimeChartProps }

function marksOf({ times, stepMs, series, lanes = noLanes, spans = noSpans }: TimeChartProps): PlotMarks {
  const gaps =
    series.length > 0
      ? gapSpans(
          times,
          series.map(({ values }) => values),
          stepMs,
        )
      : []
  return { gaps, spans, lanes }
}

function makePlot(host: HTMLElement, latest: Latest, { theme, widthPx }: { theme: PlotLook['theme']; widthPx: number }): uPlot {
  const now = () => latest.current
  const { series, heightPx, times } = now()
  const options = plotOptions(
    series,
    { ...now(), theme },
    {
      marks: () => marksOf(now()),
      window: () => now().window,
      onPoint: (index) => now().cursor.point(index === undefined ? undefined : now().times[index]),
      onSelect: (window) => now().onSelect(window),
      onReset: () => now().onReset(),
      onPick: () => {
        const { at } = now().cursor
        if (at !== undefined) now().onPick(at)
      },
    },
  )
  return new uPlot({ ...options, width: widthPx, height: heightPx }, plotData(times, series), host)
}

const indexAt = (times: readonly number[], at: number): number => {
  const after = times.findIndex((each) => each > at)
  return Math.max(0, (after < 0 ? times.length : after) - 1)
}

type Following = {
  cursor: CursorStore
  plot: { readonly current: uPlot | undefined }
  slider: { readonly current: HTMLElement | null }
  latest: Latest
}

/** Moves the shared cursor and announces the values. */
function followCursor({ cursor, plot, slider, latest }: Following): () => void {
  const follow = () => {
    const { at } = cursor
    const { times, textAt } = latest.current
    const index = at === undefined ? times.length - 1 : indexAt(times, at)
    slider.current?.setAttribute('aria-valuenow', String(Math.max(0, index)))
    slider.current?.setAttribute('aria-valuetext', index < 0 ? '' : textAt(index))
    // A mouse drag keeps the cursor.
    if (plot.current?.over.matches(':hover')) return
    const left = at === undefined ? -10 : (plot.current?.valToPos(times[index] ?? at, 'x') ?? -10)
    plot.current?.setCursor({ left, top: 0 }, false)
  }
  follow()
  return cursor.subscribe(follow)
}

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowUp: 1,
  PageDown: -20,
  PageUp: 20,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

function handleKey(event: KeyboardEvent, { times, window, cursor, onSelect, onReset, onPick }: TimeChartProps): void {
  const last = times.length - 1
  const at = cursor.at ?? times[last]
  const step = steps[event.key]
  if (last < 0 || at === undefined) return
  if (step !== undefined) cursor.point(times[Math.max(0, Math.min(last, indexAt(times, at) + step))])
  else if (event.key === '+' || event.key === '=') {
    const quarterMs = (window.toMs - window.fromMs) / 4
    onSelect({ fromMs: at - quarterMs, toMs: at + quarterMs })
  } else if (event.key === 'Escape' || event.key === '0') onReset()
  else if (event.key === 'Enter') onPick(at)
  else return
  event.preventDefault()
}
