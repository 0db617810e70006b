import { useState } from 'react'
import { useLiveAnswer } from '#views/shared/use-live-answer.ts'
import { readConfigurationSync } from './configuration-sync.ts'

const atOnce = 50

/** The configuration of a board, refetched on live events. */
export function useConfigurationSync(id: string) {
  const [versions, setVersions] = useState(atOnce)
  const { data, error, isFetching, refetch } = useLiveAnswer('control-pcb', id, {
    url: `control-pcb/${encodeURIComponent(id)}/configuration`,
    query: { versions },
    read: readConfigurationSync,
  })
  return {
    sync: data ?? undefined,
    error,
    isFetching,
    retry: () => void refetch(),
    more: () => setVersions((before) => before + atOnce),
  }
}
