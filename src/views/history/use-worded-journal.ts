import { useEffect, useState } from 'react'
import { useConsole } from '#fields/definitions.tsx'
import type { AnyResource } from '#schema/resource.ts'
import type { Worded } from './journal-choices.ts'

/** Labels a journal's codes in filters once the labels are loaded; other resources are unchanged. */
export function useWordedJournal(resource: AnyResource): Worded {
  const { definitions, language } = useConsole()
  const [worded, setWorded] = useState<Worded>()
  useEffect(() => {
    if (!resource.journal) return
    let isCurrent = true
    // If loading fails, the codes stay and can still be typed.
    import('./journal-choices.ts')
      .then(({ wordedJournal }) => isCurrent && setWorded(wordedJournal(resource, definitions, language)))
      .catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [resource, definitions, language])
  return (resource.journal && worded) || { offered: resource, chips: resource }
}
