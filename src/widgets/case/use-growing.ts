import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { recordKey } from '#views/shared/record-cache.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'

const refreshMs = 30_000

/** A case file that is still collected grows with each packet of its board, and is whole one day: no event tells of either. */
export function useGrowing({ resource, record }: Pick<WidgetProps, 'resource' | 'record'>): void {
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
