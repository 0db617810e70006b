export type SparklineSeries = {
  values: readonly (number | null)[]
  /** A colour of the theme: `var(--ui-good-solid)`. */
  color: string
  /** Fills the area below the line. */
  filled?: boolean
}
export type SparklineProps = { series: readonly SparklineSeries[]; label: string; fromZero?: boolean }

const height = 100

type Point = readonly [x: number, y: number]

/** Runs of values between gaps, as points on a 100 by 100 field. */
function runsOf(values: readonly (number | null)[], low: number, high: number): Point[][] {
  const runs: Point[][] = []
  let run: Point[] = []
  const step = 100 / Math.max(1, values.length - 1)
  for (const [index, value] of values.entries()) {
    if (value === null) {
      if (run.length > 0) runs.push(run)
      run = []
    } else run.push([index * step, high === low ? height / 2 : height - ((value - low) / (high - low)) * height])
  }
  return run.length > 0 ? [...runs, run] : runs
}

const round = (value: number) => Math.round(value * 100) / 100
const line = (run: readonly Point[]) => run.map(([x, y]) => `${round(x)},${round(y)}`).join(' L')

/** A single value is drawn as a dot: a zero-length line with round caps. */
const lineOf = (runs: readonly (readonly Point[])[]) =>
  runs.map((run) => `M${line(run.length > 1 ? run : [...run, ...run])}`).join('')

const areaOf = (runs: readonly (readonly Point[])[]) =>
  runs.map((run) => `M${round(run[0]?.[0] ?? 0)},${height} L${line(run)} L${round(run.at(-1)?.[0] ?? 0)},${height}Z`).join('')

/** A small line chart with gaps. `label` is its text alternative. */
export function Sparkline({ series, label, fromZero }: SparklineProps) {
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null))
  const low = Math.min(...known, ...(fromZero ? [0] : []))
  const high = Math.max(...known, ...(fromZero ? [0] : []))
  return (
    <svg className="ui-sparkline" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={label}>
      {known.length > 0 &&
        series.map(({ values, color, filled }) => {
          const runs = runsOf(values, low, high)
          return (
            <g key={color}>
              {filled && <path d={areaOf(runs)} fill={color} fillOpacity={0.18} />}
              <path d={lineOf(runs)} fill="none" stroke={color} vectorEffect="non-scaling-stroke" />
            </g>
          )
        })}
    </svg>
  )
}
