import { useEffect, useState } from 'react'
import { minuteMs } from '#schema/format/durations.ts'
import { presentMs } from '#schema/format/present-time.ts'
import { useAnswer } from '#views/shared/use-answer.ts'
import { readSeries } from './series.ts'

/** The current time rounded to minutes, so that components with the same range share one query. */
function useMinute(): number {
  const [nowMs, setNowMs] = useState(() => Math.ceil(presentMs() / minuteMs) * minuteMs)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Math.ceil(presentMs() / minuteMs) * minuteMs), minuteMs)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}

export type SeriesAsked = {
  of: { essId: string } | { controlPcbId: string }
  channels: readonly string[]
  spanMs: number | ((toMs: number) => number)
  isWanted?: boolean
}

/** Series of some channels over the last span, up to the current minute. */
export function useSeries({ of, channels, spanMs, isWanted = true }: SeriesAsked) {
  const toMs = useMinute()
  const lastMs = typeof spanMs === 'number' ? spanMs : spanMs(toMs)
  const { data } = useAnswer({
    url: 'telemetry',
    query: { ...of, channel: channels, from: toMs - lastMs, to: toMs },
    read: readSeries,
    isWanted,
  })
  return data ?? undefined
}
