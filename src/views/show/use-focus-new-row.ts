import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { isObject } from '#schema/is-object.ts'

/** Id of the new record, stored by the form in the history entry of the list it returns to. */
const madeIn = (state: unknown): string | undefined =>
  isObject(state) && typeof state.made === 'string' ? state.made : undefined

function focusRow(id: string): boolean {
  const link = document.querySelector<HTMLElement>(`[data-row-link][href$="/${CSS.escape(encodeURIComponent(id))}"]`)
  link?.focus()
  return link !== null
}

/** Focuses the row that was just created, once it is in the list. */
export function useFocusNewRow(): void {
  const { state } = useLocation()
  const made = madeIn(state)
  useEffect(() => {
    if (made === undefined || focusRow(made)) return
    const observer = new MutationObserver(() => {
      if (focusRow(made)) observer.disconnect()
    })
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [made])
}
