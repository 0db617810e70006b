import type uPlot from 'uplot'
import type { ThemeName, Tone } from '#ui/theme/tokens.ts'
import { chartPalette, faded, type LineColor, lineColors, toneColor } from './chart-colors.ts'
import type { ChartLane, ChartSpan, TimeWindow } from './chart-types.ts'

const hatchPx = 6
const stripPx = 3
const laneTextPx = 11
const lanePadPx = 4

const isLine = (theme: ThemeName, color: LineColor | Tone): color is LineColor => Object.hasOwn(lineColors[theme], color)
const colorOf = (theme: ThemeName, color: LineColor | Tone): string =>
  isLine(theme, color) ? lineColors[theme][color] : toneColor(theme, color)

/** Horizontal extent of a time span on the canvas, clipped to the plot. */
function extent(plot: uPlot, { fromMs, toMs }: TimeWindow): { left: number; width: number } | undefined {
  const { left, width } = plot.bbox
  const from = Math.max(left, plot.valToPos(fromMs, 'x', true))
  const to = Math.min(left + width, plot.valToPos(toMs, 'x', true))
  return to > from ? { left: from, width: Math.max(to - from, 1) } : undefined
}

/** Hatches spans without data: a line that stops could be taken for the end of the chart. */
export function drawGaps(plot: uPlot, spans: readonly TimeWindow[], theme: ThemeName): void {
  const { ctx, bbox } = plot
  const step = hatchPx * devicePixelRatio
  for (const span of spans) {
    const at = extent(plot, span)
    if (!at) continue
    ctx.save()
    ctx.beginPath()
    ctx.rect(at.left, bbox.top, at.width, bbox.height)
    ctx.clip()
    ctx.beginPath()
    for (let x = at.left - bbox.height; x < at.left + at.width; x += step) {
      ctx.moveTo(x, bbox.top + bbox.height)
      ctx.lineTo(x + bbox.height, bbox.top)
    }
    ctx.strokeStyle = faded(chartPalette(theme).axis, 0.22)
    ctx.lineWidth = devicePixelRatio
    ctx.stroke()
    ctx.restore()
  }
}

/** Spans behind the lines, each with a strip on the time axis. */
export function drawSpans(plot: uPlot, spans: readonly ChartSpan[], theme: ThemeName): void {
  const { ctx, bbox } = plot
  const strip = stripPx * devicePixelRatio
  ctx.save()
  for (const span of spans) {
    const at = extent(plot, span)
    if (!at) continue
    const color = colorOf(theme, span.color)
    ctx.fillStyle = faded(color, 0.06)
    ctx.fillRect(at.left, bbox.top, at.width, bbox.height)
    ctx.fillStyle = color
    ctx.fillRect(at.left, bbox.top + bbox.height - strip, Math.max(at.width, 2 * devicePixelRatio), strip)
  }
  ctx.restore()
}

/** Rows of bars, each under its name. */
export function drawLanes(plot: uPlot, lanes: readonly ChartLane[], theme: ThemeName, font: string): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  const height = bbox.height / lanes.length
  ctx.save()
  ctx.font = `${laneTextPx * ratio}px ${font}`
  ctx.textBaseline = 'middle'
  for (const [index, lane] of lanes.entries()) {
    const top = bbox.top + index * height
    ctx.fillStyle = chartPalette(theme).axis
    ctx.textAlign = 'left'
    ctx.fillText(lane.label, bbox.left, top + (lanePadPx + laneTextPx / 2 + 1) * ratio)
    const barTop = top + (lanePadPx + laneTextPx + 5) * ratio
    const barHeight = top + height - lanePadPx * ratio - barTop
    for (const span of lane.spans) drawBar(plot, span, { top: barTop, height: barHeight }, theme)
  }
  ctx.restore()
}

function drawBar(plot: uPlot, span: ChartSpan, bar: { top: number; height: number }, theme: ThemeName): void {
  const at = extent(plot, span)
  if (!at) return
  const { ctx } = plot
  const color = colorOf(theme, span.color)
  ctx.fillStyle = faded(color, 0.24)
  ctx.fillRect(at.left, bar.top, at.width, bar.height)
  ctx.fillStyle = color
  ctx.fillRect(at.left, bar.top, 2 * devicePixelRatio, bar.height)
  const pad = 7 * devicePixelRatio
  if (!span.text || ctx.measureText(span.text).width + 2 * pad > at.width) return
  ctx.fillStyle = chartPalette(theme).text
  ctx.textAlign = 'left'
  ctx.fillText(span.text, at.left + pad, bar.top + bar.height / 2)
}
