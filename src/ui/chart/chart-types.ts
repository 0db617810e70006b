import type { Tone } from '#ui/theme/tokens.ts'
import type { LineColor } from './chart-colors.ts'

export type ChartValues = readonly (number | null)[]

/** One measured series over the chart's times. Null = a gap. */
export type ChartSeries = {
  key: string
  color: LineColor
  values: ChartValues
  /** Lowest and highest of each step: a band behind the line. */
  low?: ChartValues | undefined
  high?: ChartValues | undefined
  dash?: readonly number[] | undefined
}

/** A coloured time span; `text` is drawn into it where there is room. */
export type ChartSpan = { fromMs: number; toMs: number; color: LineColor | Tone; text?: string | undefined }

/** Time spans under one name, drawn as a row of bars. */
export type ChartLane = { key: string; label: string; spans: readonly ChartSpan[] }

export type TimeWindow = { fromMs: number; toMs: number }
