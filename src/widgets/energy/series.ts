import { isObject } from '#schema/is-object.ts'
/** Values over time; `avg` of a counter is its growth. Null = a gap. */
export type Series = { t: readonly number[]; avg: readonly (number | null)[] }
export type SeriesByName = Readonly<Record<string, Series>>

const numbersOf = (value: unknown): (number | null)[] =>
  Array.isArray(value) ? value.map((each: unknown) => (typeof each === 'number' ? each : null)) : []

/** The answer of `telemetry`. */
export function readSeries(data: unknown): SeriesByName | undefined {
  if (!isObject(data) || !isObject(data.series)) return undefined
  return Object.fromEntries(
    Object.entries(data.series).map(([name, series]) => {
      const of = isObject(series) ? series : {}
      return [name, { t: numbersOf(of.t).map((each) => each ?? 0), avg: numbersOf(of.avg) }]
    }),
  )
}

/** Counter growth since a time; null without data. */
export function grownSince(series: Series | undefined, sinceMs: number): number | null {
  const parts = (series?.avg ?? []).filter((value, index) => value !== null && (series?.t[index] ?? 0) >= sinceMs)
  return parts.length === 0 ? null : parts.reduce<number>((sum, part) => sum + (part ?? 0), 0)
}
