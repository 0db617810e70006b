import type { CounterFeed } from '#resources/fleet/channel-row.ts'
import { minuteMs } from '#schema/format/durations.ts'
import { mostGrowth } from './counter-bounds.ts'
import type { SiteFacts } from './site-facts.ts'

/** `run`: how often the board had started by then. */
type Reading = { value: number; timeMs: number; run?: number }

/**
 * Base from which the growth of a counter counts. `odd`: the first reading that does not follow from it, so far without effect.
 * `former`: the reading before the last change of base, to which a meter may come back.
 */
export type Meter = Reading & { odd?: Reading; former?: Reading }

/** A counter that stands still at a new base for so long was reset. */
const settledMs = 10 * minuteMs

type Judged = { meter: Meter; expected?: readonly [min: number, max: number] }

/** A restart explains a counter that begins anew, but not a 0: some meters answer that before they are ready. */
const isResetByRestart = (base: Reading, now: Reading, most: number) =>
  base.run !== undefined &&
  now.run !== undefined &&
  now.run !== base.run &&
  now.value > 0 &&
  now.value < base.value &&
  now.value <= most

/**
 * The next reading of a counter. One that falls, or grows by more than the site can use, is either a glitch, after which the counter
 * goes on from before, or a new base, from which it counts on. It is doubted until that is known.
 */
export function judgeReading(meter: Meter | undefined, now: Reading, feed: CounterFeed, site: SiteFacts | undefined): Judged {
  if (!meter) return { meter: now }
  const most = (base: Reading) => base.value + mostGrowth(feed, site, now.timeMs - base.timeMs)
  const follows = (base: Reading | undefined) => base !== undefined && now.value >= base.value && now.value <= most(base)
  const { odd, former, ...base } = meter
  if (follows(base)) return { meter: { ...now, ...(former && now.value < former.value ? { former } : {}) } }
  if (follows(former)) return { meter: now }
  const mostFromZero = mostGrowth(feed, site, now.timeMs - base.timeMs)
  if (isResetByRestart(base, now, mostFromZero)) return { meter: { ...now, former: base } }
  if (odd && follows(odd) && (now.value > odd.value || now.timeMs - odd.timeMs >= settledMs))
    return { meter: { ...now, former: base } }
  return { meter: { ...meter, odd: odd && follows(odd) ? odd : now }, expected: [base.value, most(base)] }
}
