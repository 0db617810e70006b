import { type BaseRecord, useDataProvider } from '@refinedev/core'
import { hashKey, keepPreviousData, type QueryFunctionContext, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Channel } from '#resources/fleet/channel-of.ts'
import { presentMs } from '#schema/format/present-time.ts'
import { type ChartState, ranges } from './chart-state.ts'
import { type SeriesData, seriesData, withTail } from './panel/series-data.ts'

/** Subject: `{ controlPcbId: '…' }` or `{ essId: '…' }`. */
export type Subject = Readonly<Record<string, string>>

export type SeriesRequest = {
  subject: Subject
  state: Pick<ChartState, 'range' | 'window'>
  channels: readonly Channel[]
  /** Query key of the parent record: live events refetch it, which triggers a refetch here. */
  recordKey: readonly unknown[]
}

type Asked = { subject: Subject; channels: readonly Channel[]; fromMs: number; toMs: number; points?: number }

/** Poll interval of a range that ends now. */
const soonestMs = 15_000
const latestMs = 300_000
const pollMs = (stepMs: number) => Math.min(latestMs, Math.max(soonestMs, stepMs / 20))

/** Number of points for a tail of this step length: the server picks the finest step with at most this many. */
const pointsOf = (rangeMs: number, stepMs: number) => Math.max(2, Math.ceil(rangeMs / stepMs) + 1)

function useRead() {
  const dataProvider = useDataProvider()
  return useCallback(
    async ({ subject, channels, fromMs, toMs, points }: Asked, context?: QueryFunctionContext) => {
      const times = { from: String(Math.round(fromMs)), to: String(Math.round(toMs)) }
      const answer = await dataProvider().custom?.<BaseRecord>({
        url: 'telemetry',
        method: 'get',
        query: { ...subject, ...times, channel: channels, ...(points ? { points: String(points) } : {}) },
        meta: { quiet: true, ...(context ? { queryContext: context } : {}) },
      })
      const data = seriesData(answer?.data)
      if (!data) throw new Error('the answer is no telemetry')
      return data
    },
    [dataProvider],
  )
}

/** Series of a fixed span, or of a range that ends now, to which new steps are appended. */
export function useSeries({ subject, state, channels, recordKey }: SeriesRequest) {
  const read = useRead()
  const { range, window } = state
  const span = window ? `${window.fromMs}-${window.toMs}` : range
  const subjectKey = JSON.stringify(subject)
  const channelKey = channels.join()
  const queryKey = useMemo(() => ['telemetry', subjectKey, span, channelKey], [subjectKey, span, channelKey])
  const query = useQuery({
    queryKey,
    staleTime: window ? Number.POSITIVE_INFINITY : latestMs,
    refetchOnWindowFocus: !window,
    placeholderData: keepPreviousData,
    queryFn: (context) => {
      const nowMs = presentMs()
      const asked = window ?? { fromMs: nowMs - ranges[range].ms, toMs: nowMs }
      return read({ subject, channels, ...asked }, context)
    },
  })
  const isLive = !window && query.data !== undefined && !query.isPlaceholderData
  const isLate = useTail({ queryKey, isLive, range, read, subject, channels, recordKey, stepMs: query.data?.stepMs ?? 0 })
  return { ...query, isLate }
}

type Tail = {
  queryKey: readonly unknown[]
  isLive: boolean
  range: ChartState['range']
  read: ReturnType<typeof useRead>
  subject: Subject
  channels: readonly Channel[]
  recordKey: readonly unknown[]
  stepMs: number
}

/** Refetches the tail of the series periodically and on changes of the record; returns true while refetching fails. */
function useTail(tail: Tail): boolean {
  const client = useQueryClient()
  const [isLate, setLate] = useState(false)
  const latest = useRef(tail)
  latest.current = tail
  const { isLive, stepMs, recordKey } = tail
  const recordHash = hashKey(recordKey)

  const append = useCallback(async () => {
    const { queryKey, range, read, subject, channels } = latest.current
    const base = client.getQueryData<SeriesData>(queryKey)
    const last = base?.times.at(-1)
    if (!base || last === undefined || document.visibilityState === 'hidden') return
    const toMs = presentMs()
    const fromMs = last - base.stepMs
    try {
      const end = await read({ subject, channels, fromMs, toMs, points: pointsOf(toMs - fromMs, base.stepMs) })
      const next = withTail(base, end, toMs - ranges[range].ms)
      if (next) client.setQueryData<SeriesData>(queryKey, (now) => (now === base ? next : now))
      else await client.invalidateQueries({ queryKey, exact: true })
      setLate(false)
    } catch {
      setLate(true)
    }
  }, [client])

  useEffect(() => {
    if (!isLive) return
    const timer = setInterval(() => void append(), pollMs(stepMs))
    return () => clearInterval(timer)
  }, [isLive, stepMs, append])
  useEffect(() => {
    if (!isLive) return
    return client.getQueryCache().subscribe((event) => {
      const isRead = event.type === 'updated' && event.action.type === 'success'
      if (isRead && event.query.queryHash === recordHash) void append()
    })
  }, [isLive, client, recordHash, append])
  return isLate
}
