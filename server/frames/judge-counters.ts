import type { CounterFeed } from '#resources/fleet/channel-row.ts'
import { minuteMs } from '#schema/format/durations.ts'
import { mostGrowth } from './counter-bounds.ts'
import type { SiteFacts } from './site-facts.ts'

/** `run`: how often the board had started by then. */
type Reading = { value: number; timeMs: number; run?: number }

/**
 * Base of a counter's growth. `odd`: the first inconsistent reading, without effect so far. `former`: the reading before the
 * last change of base, to which a meter may return.
 */
export type Meter = Reading & { odd?: Reading; former?: Reading }

/** A counter that stays at a new base for this time was reset. */
const settledMs = 10 * minuteMs

type Judged = { meter: Meter; expected?: readonly [min: number, max: number] }

/** A restart explains a counter that starts over, but not a 0: some meters answer that before they are ready. */
const isResetByRestart = (base: Reading, now: Reading, most: number) =>
  base.run !== undefined &&
  now.run !== undefined &&
  now.run !== base.run &&
  now.value > 0 &&
  now.value < base.value &&
  now.value <= most

/**
 * Judges a counter's next reading. One that falls, or grows beyond what the site can use, is either a glitch, after which the
 * counter continues from its former base, or a new base. It is doubted until that is known.
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
