import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { Tone } from '#ui/theme/tokens.ts'
import './column-chart.css'

/** A segment of a stacked column, bottom first. */
export type ColumnPart = { key: string; value: number; tone: Tone }
export type ChartColumn = {
  key: string
  parts: readonly ColumnPart[]
  tick?: string | undefined
  /** Its time is not over: it still grows. */
  isOpen?: boolean | undefined
}

export type ColumnChartProps = {
  /** Accessible name of the chart. */
  label: string
  columns: readonly ChartColumn[]
  /** Text of a column, announced on keyboard focus or hover. */
  textOf: (index: number) => string
  /** Summary while no column is active. */
  summary: string
  /** Upper end of the scale; default: the highest column. */
  top?: number | undefined
  topText?: string | undefined
  /** Lower end of the scale; default: 0. */
  bottomText?: string | undefined
  /** What the colours mean. */
  legend?: readonly { tone: Tone; text: string }[] | undefined
  /** Cells without gaps between them. */
  isStrip?: boolean | undefined
  heightPx: number
  /** A column was clicked, or chosen with Enter. */
  onPick?: ((index: number) => void) | undefined
}

const field = 100
/** Minimum height of a segment, so that small values stay visible. */
const least = 2

const sumOf = ({ parts }: ChartColumn) => parts.reduce((sum, { value }) => sum + value, 0)

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowUp: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

function useCursor({ columns, onPick }: ColumnChartProps) {
  const [at, setAt] = useState<number>()
  const last = columns.length - 1
  const within = (index: number) => Math.max(0, Math.min(last, index))
  const handleKey = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step !== undefined) setAt(within((at ?? last + (step < 0 ? 1 : 0)) + step))
    else if (event.key === 'Enter' && at !== undefined) onPick?.(at)
    else if (event.key === 'Escape') setAt(undefined)
    else return
    event.preventDefault()
  }
  const handlePoint = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setAt(within(Math.floor(((event.clientX - left) / Math.max(1, width)) * columns.length)))
  }
  const handleClick = () => {
    if (at !== undefined) onPick?.(at)
  }
  return {
    at: at === undefined ? undefined : within(at),
    last,
    handleKey,
    handlePoint,
    handleClick,
    leave: () => setAt(undefined),
  }
}

/** Stacked columns. Mouse: hover and click. Keyboard: arrows, Home, End, Enter. */
export function ColumnChart(props: ColumnChartProps) {
  const { label, columns, textOf, summary, top, bottomText, isStrip, heightPx, onPick } = props
  const { at, last, handleKey, handlePoint, handleClick, leave } = useCursor(props)
  const highest = top ?? Math.max(1, ...columns.map(sumOf))
  const text = at === undefined ? summary : textOf(at)
  return (
    <div className="columns">
      <Scale {...props} />
      <div
        className="columns-plot"
        style={{ height: heightPx }}
        data-pick={onPick ? '' : undefined}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, at ?? last)}
        aria-valuetext={text}
        onKeyDown={handleKey}
        onPointerMove={handlePoint}
        onPointerDown={handlePoint}
        onPointerLeave={leave}
        onBlur={leave}
        onClick={handleClick}
      >
        <svg
          viewBox={`0 0 ${Math.max(1, columns.length)} ${field}`}
          preserveAspectRatio="none"
          shapeRendering="crispEdges"
          aria-hidden="true"
        >
          {at !== undefined && <rect className="columns-at" x={at} y={0} width={1} height={field} />}
          {columns.map((column, index) => (
            <Column key={column.key} {...{ column, index, highest, isStrip }} />
          ))}
        </svg>
      </div>
      <div className="columns-ticks" aria-hidden="true">
        {bottomText && <b>{bottomText}</b>}
        {columns.map(({ key, tick }, index) =>
          tick ? (
            <span key={key} style={{ insetInlineStart: `${((index + 0.5) / columns.length) * 100}%` }}>
              {tick}
            </span>
          ) : null,
        )}
      </div>
      <p className="columns-text">{text}</p>
    </div>
  )
}

/** Upper end of the scale, and the colours. */
const Scale = ({ topText, legend = [] }: ColumnChartProps) => (
  <div className="columns-scale" aria-hidden="true">
    <span>{topText}</span>
    {legend.map(({ tone, text }) => (
      <span key={text} className={`columns-key columns-${tone}`}>
        {text}
      </span>
    ))}
  </div>
)

type ColumnProps = { column: ChartColumn; index: number; highest: number; isStrip?: boolean | undefined }

function Column({ column, index, highest, isStrip }: ColumnProps) {
  const gap = isStrip ? 0 : 0.12
  let y = field
  return (
    <>
      {column.parts.map(({ key, value, tone }) => {
        if (value <= 0) return null
        const height = Math.max(least, (value / highest) * field)
        y = Math.max(0, y - height)
        return (
          <rect
            key={key}
            className={`columns-${tone}${column.isOpen ? ' columns-open' : ''}`}
            x={index + gap}
            y={y}
            width={1 - 2 * gap}
            height={Math.min(height, field)}
          />
        )
      })}
    </>
  )
}
