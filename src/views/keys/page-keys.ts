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

/** The question mark, and the entry of the account menu. */
const askedFor = 'console-keys'
export const askForKeys = (): void => void document.dispatchEvent(new Event(askedFor))

export function onAskedForKeys(handle: () => void): () => void {
  document.addEventListener(askedFor, handle)
  return () => document.removeEventListener(askedFor, handle)
}
