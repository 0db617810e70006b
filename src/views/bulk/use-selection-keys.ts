import { useNotification } from '@refinedev/core'
import { useEffect } from 'react'
import { usePermissions, useSay } from '#fields/definitions.tsx'
import type { AnyResource } from '#schema/resource.ts'
import { actionOfKey, isElsewhere, letterOf } from '#views/keys/key-of.ts'
import { bulkWords } from './bulk-words.ts'

type Offer = { key: string; disabled: boolean; onSelect: () => void }

/** While rows are selected, action keys act on them like the buttons of the bar. The capture phase comes before the keys of the list. */
export function useSelectionKeys(resource: AnyResource, offers: readonly Offer[], isOn: boolean): void {
  const sayLabel = useSay()
  const permissions = usePermissions()
  const { open } = useNotification()
  useEffect(() => {
    if (!isOn) return
    const handleKey = (event: KeyboardEvent) => {
      const found = isElsewhere(event) ? undefined : actionOfKey(resource, permissions, letterOf(event))
      if (!found) return
      event.preventDefault()
      const offer = offers.find(({ key }) => key === found.name)
      if (offer && !offer.disabled) offer.onSelect()
      if (offer) return
      const message = sayLabel(bulkWords.notMany, { action: sayLabel(found.action.label) })
      open?.({ type: 'progress', key: 'refused-key', message, description: sayLabel(bulkWords.notManyText) })
    }
    document.addEventListener('keydown', handleKey, { capture: true })
    return () => document.removeEventListener('keydown', handleKey, { capture: true })
  }, [resource, permissions, offers, isOn, open, sayLabel])
}
