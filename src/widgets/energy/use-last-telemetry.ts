import { minuteMs } from '#schema/format/durations.ts'
import { useLiveAnswer } from '#views/shared/use-live-answer.ts'
import { readLastTelemetry } from './last-telemetry.ts'

const refreshMs = minuteMs

/** The newest sample of an ESS or a board: refetched on live events, and once a minute. */
export function useLastTelemetry(resource: string, id: string) {
  const { data, error, isPending, refetch } = useLiveAnswer(resource, id, {
    url: `${resource}/${encodeURIComponent(id)}/last-telemetry`,
    read: readLastTelemetry,
    refreshMs,
  })
  return { data, error, isPending, retry: () => void refetch() }
}
