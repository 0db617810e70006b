import { useEffect, useRef } from 'react'
import { useAnswer } from '#views/use-answer.ts'
import { useReadAt } from '#views/use-read-at.ts'
import { readLastTelemetry } from './last-telemetry.ts'

const refreshMs = 60_000

/** The newest sample of an ESS or a board: asked for again when the live stream tells of news, and once a minute without it. */
export function useLastTelemetry(resource: string, id: string) {
  const { data, error, isPending, refetch } = useAnswer({
    url: `${resource}/${encodeURIComponent(id)}/last-telemetry`,
    read: readLastTelemetry,
    refreshMs,
  })
  const readAt = useReadAt(resource, id)
  const seen = useRef(readAt)
  useEffect(() => {
    if (seen.current === readAt) return
    seen.current = readAt
    void refetch()
  }, [readAt, refetch])
  return { data, error, isPending, retry: () => void refetch() }
}
