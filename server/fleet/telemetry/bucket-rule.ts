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

/**
 * The finest bucket that the range allows, that stays within the requested number of points, and that the board's interval
 * fills.
 */
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

/** Length of a bucket in milliseconds; a day counts as 24 hours, regardless of clock changes. */
export const bucketMs = (bucket: Bucket): number => ('days' in bucket ? bucket.days * dayMs : bucket.stepMs)

/** Start of a time's bucket; for days an earlier time, since only the database knows clock changes. */
export function notAfterStart(bucket: Bucket, time: Date): Date {
  if ('days' in bucket) return new Date(time.getTime() - ((bucket.isMonth ? bucket.days : 1) + 1) * dayMs)
  return new Date(Math.floor(time.getTime() / bucket.stepMs) * bucket.stepMs)
}

/** True for buckets finer than any rolled-up row. */
export const isOfSamples = (bucket: Bucket): boolean => bucketMs(bucket) < 5 * minuteMs
