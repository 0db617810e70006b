import { useState } from 'react'
import type { CloseGuard } from './use-guarded-close.ts'

/**
 * A guard of a dialog with a secret that is not shown again: only its button closes it. `isHeld`: another way was tried, so that the
 * dialog says why it stays.
 */
export function useKeepFirst(isShown: boolean): { isHeld: boolean; canClose: CloseGuard | undefined } {
  const [isHeld, setHeld] = useState(false)
  if (isHeld && !isShown) setHeld(false)
  const hold = () => {
    setHeld(true)
    return false
  }
  return { isHeld, canClose: isShown ? hold : undefined }
}
