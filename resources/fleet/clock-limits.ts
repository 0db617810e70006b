import { minuteMs } from '#schema/format/durations.ts'

/**
 * A board's clock that is off by at most this is sound: its times are believed. Frames of one further ahead are stored by their time
 * of arrival. CLOCK_DRIFT warns earlier, by levels that may be set.
 */
export const soundClockMs = 5 * minuteMs
