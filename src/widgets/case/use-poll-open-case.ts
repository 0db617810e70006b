import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { recordKey } from '#views/shared/record-cache.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'

const refreshMs = 30_000

/** Polls an open case file: it grows with each packet and closes without an event. */
export function usePollOpenCase({ resource, record }: Pick<WidgetProps, 'resource' | 'record'>): void {
  const client = useQueryClient()
  const { name } = resource
  const id = String(record.id)
  const isOpen = record.state === 'OPEN'
  useEffect(() => {
    if (!isOpen) return
    const look = () => void (document.hidden || client.invalidateQueries({ queryKey: recordKey(name, id) }))
    const timer = setInterval(look, refreshMs)
    return () => clearInterval(timer)
  }, [client, name, id, isOpen])
}
