import { useEffect } from 'react'
import type { AnyResource } from '#schema/resource.ts'
import type { Label } from '#schema/words.ts'

/** Part of a page that answers keys: its search, its form, or the rows of a list. */
export type PagePart = 'search' | 'form' | { resource: AnyResource; hasSelection: boolean }

/** Here, because the account menu is on the first screen and the other words are not. */
export const keysTitle: Label = ['Keys', 'Клавиши']

const mounted = new Set<{ part: PagePart }>()

/** Tells the overview of keys that this part is on the page. Keep it stable. */
export function usePagePart(part: PagePart | undefined): void {
  useEffect(() => {
    if (part === undefined) return
    const entry = { part }
    mounted.add(entry)
    return () => void mounted.delete(entry)
  }, [part])
}

export const pageParts = (): readonly PagePart[] => [...mounted].map(({ part }) => part)

const askedFor = 'console-keys'
/** Asked for while the code of the overview was still under way. */
let isWaiting = false

/** Opens the overview of keys, from the account menu. */
export const askForKeys = (): void => {
  isWaiting = document.dispatchEvent(new Event(askedFor, { cancelable: true }))
}

export function onAskedForKeys(handle: () => void): () => void {
  const take = (event: Event) => {
    event.preventDefault()
    handle()
  }
  document.addEventListener(askedFor, take)
  if (isWaiting) handle()
  isWaiting = false
  return () => document.removeEventListener(askedFor, take)
}
