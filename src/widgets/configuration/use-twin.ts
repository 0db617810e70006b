import { useState } from 'react'
import { useLiveAnswer } from '#views/shared/use-live-answer.ts'
import { readTwin } from './twin.ts'

const atOnce = 50

/** The configuration of a board, refetched on live events. */
export function useTwin(id: string) {
  const [versions, setVersions] = useState(atOnce)
  const { data, error, isFetching, refetch } = useLiveAnswer('control-pcb', id, {
    url: `control-pcb/${encodeURIComponent(id)}/configuration`,
    query: { versions },
    read: readTwin,
  })
  return {
    twin: data ?? undefined,
    error,
    isFetching,
    retry: () => void refetch(),
    more: () => setVersions((before) => before + atOnce),
  }
}
