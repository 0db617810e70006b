import { useLiveAnswer } from '#views/shared/use-live-answer.ts'
import { readLastTelemetry } from './last-telemetry.ts'

const refreshMs = 60_000

/** The newest sample of an ESS or a board: refetched on live events, and once a minute. */
export function useLastTelemetry(resource: string, id: string) {
  const { data, error, isPending, refetch } = useLiveAnswer(resource, id, {
    url: `${resource}/${encodeURIComponent(id)}/last-telemetry`,
    read: readLastTelemetry,
    refreshMs,
  })
  return { data, error, isPending, retry: () => void refetch() }
}
