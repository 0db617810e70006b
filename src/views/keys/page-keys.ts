import { useEffect, useSyncExternalStore } from 'react'
import type { AnyResource } from '#schema/resource.ts'
import type { Label } from '#schema/words.ts'

/** Part of a page that answers keys: its search, its form, or the rows of a list. */
export type PagePart = 'search' | 'form' | { resource: AnyResource; hasSelection: boolean }

/** Here, because the account menu is on the first screen and the other words are not. */
export const keysTitle: Label = ['Keys', 'Клавиши']

const mounted = new Set<{ part: PagePart }>()
const listeners = new Set<() => void>()
let parts: readonly PagePart[] = []

function noteChange(): void {
  parts = [...mounted].map(({ part }) => part)
  for (const listener of listeners) listener()
}

/** Tells the overview of keys that this part is on the page. Keep it stable. */
export function usePagePart(part: PagePart | undefined): void {
  useEffect(() => {
    if (part === undefined) return
    const entry = { part }
    mounted.add(entry)
    noteChange()
    return () => {
      mounted.delete(entry)
      noteChange()
    }
  }, [part])
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Parts on the page now: the keys of a list come a moment after its rows. */
export const usePageParts = (): readonly PagePart[] => useSyncExternalStore(subscribe, () => parts)

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
