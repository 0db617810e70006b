import { type RefObject, useEffect, useState } from 'react'
import { focusPath } from './fault-summary.tsx'
import type { FormFault } from './form-faults.ts'

/** Focuses the first invalid field, or the summary. */
export function focusFirst(faults: readonly FormFault[], summary: RefObject<HTMLElement | null>): void {
  // After the next paint, once messages and newly shown fields are in the DOM.
  requestAnimationFrame(() => {
    if (!faults.some(({ path }) => path && focusPath(path))) summary.current?.focus()
  })
}

/** Focuses what the server has refused, once nothing is being saved: until then the inputs are disabled. */
export function useRefusedFocus(isSaving: boolean, summary: RefObject<HTMLElement | null>) {
  const [refused, setRefused] = useState<readonly FormFault[]>()
  useEffect(() => {
    if (isSaving || !refused) return
    focusFirst(refused, summary)
    setRefused(undefined)
  }, [isSaving, refused, summary])
  return setRefused
}
