import type { ChartValues, TimeWindow } from './chart-types.ts'

/** Spans of at least two steps in which no series has a value, including the edges of the window. */
export function gapSpans(times: readonly number[], all: readonly ChartValues[], stepMs: number): TimeWindow[] {
  const spans: TimeWindow[] = []
  let start: number | undefined
  const close = (endMs: number) => {
    if (start !== undefined && endMs - start >= 2 * stepMs) spans.push({ fromMs: start, toMs: endMs })
    start = undefined
  }
  for (const [index, atMs] of times.entries()) {
    const isEmpty = all.every((values) => values[index] === null || values[index] === undefined)
    if (isEmpty) start ??= atMs
    else close(atMs)
  }
  const last = times.at(-1)
  if (last !== undefined) close(last + stepMs)
  return spans
}

/** Indexes of values without neighbours: a line alone would not show them. */
export const lonePoints = (values: ChartValues): number[] =>
  values.flatMap((value, index) => {
    const isLone = value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null
    return isLone ? [index] : []
  })
