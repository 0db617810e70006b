import { useEffect, useState } from 'react'
import { useConsole } from '#fields/definitions.tsx'
import type { AnyResource } from '#schema/resource.ts'
import type { Worded } from './journal-choices.ts'

/** A resource as its filters show it: a journal's codes in words as soon as these are there, any other as it is. */
export function useWordedJournal(resource: AnyResource): Worded {
  const { definitions, language } = useConsole()
  const [worded, setWorded] = useState<Worded>()
  useEffect(() => {
    if (!resource.journal) return
    let isCurrent = true
    // Without them the codes stay, which can be typed as well.
    import('./journal-choices.ts')
      .then(({ wordedJournal }) => isCurrent && setWorded(wordedJournal(resource, definitions, language)))
      .catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [resource, definitions, language])
  return (resource.journal && worded) || { offered: resource, told: resource }
}
