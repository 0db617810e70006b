import { dayMs, hourMs, minuteMs } from '#schema/format/durations.ts'

/** Bucket width: a fixed step, or days or a calendar month of the site's time zone. */
export type Bucket = { stepMs: number } | { days: number; isMonth?: true }

export const mostPoints = 750
/** Retention of samples, 5-minute rows and hours; days are kept forever. */
export const keptMs = { samples: 60 * dayMs, rows: 400 * dayMs } as const

const rule = [
  { upToMs: 6 * hourMs, stepMs: minuteMs },
  { upToMs: 48 * hourMs, stepMs: 5 * minuteMs },
  { upToMs: 7 * dayMs, stepMs: 15 * minuteMs },
  { upToMs: 31 * dayMs, stepMs: hourMs },
] as const

const steps = rule.map(({ stepMs }) => stepMs)

type Asked = { fromMs: number; toMs: number; points: number; nowMs: number; reportIntervalS: number }

/** The finest step that the range allows, that gives no more points than asked for, and that the board fills. */
export function bucketOf({ fromMs, toMs, points, nowMs, reportIntervalS }: Asked): Bucket {
  const rangeMs = toMs - fromMs
  const keepsSamples = fromMs >= nowMs - keptMs.samples
  const keepsRows = fromMs >= nowMs - keptMs.rows
  const least = rule.find(({ upToMs }) => rangeMs <= upToMs)?.stepMs
  const step =
    least &&
    keepsRows &&
    steps.find(
      (stepMs) =>
        stepMs >= least &&
        (keepsSamples || stepMs > minuteMs) &&
        stepMs >= reportIntervalS * 1000 &&
        Math.ceil(rangeMs / stepMs) + 1 <= points,
    )
  return step ? { stepMs: step } : { days: Math.max(1, Math.ceil((rangeMs / dayMs + 1) / points)) }
}

/** Length of a bucket in milliseconds; a day counts as 24 hours, whatever its clocks do. */
export const bucketMs = (bucket: Bucket): number => ('days' in bucket ? bucket.days * dayMs : bucket.stepMs)

/** The start of the bucket that a time is in; of days, a moment before it: when clocks change, only the database knows. */
export function notAfterStart(bucket: Bucket, time: Date): Date {
  if ('days' in bucket) return new Date(time.getTime() - (bucket.days + 1) * dayMs)
  return new Date(Math.floor(time.getTime() / bucket.stepMs) * bucket.stepMs)
}

/** Buckets that are finer than any row that is rolled up. */
export const isOfSamples = (bucket: Bucket): boolean => bucketMs(bucket) < 5 * minuteMs
