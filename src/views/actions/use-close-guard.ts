import { useState } from 'react'
import { useLeaveGuard } from '#views/form/draft/use-leave-guard.ts'
import type { Blocker } from '#views/shared/navigation-blocker.ts'

export type CloseGuard = {
  /** Called before Esc, the close button or a click outside closes the dialog. */
  canClose: () => boolean | Promise<boolean>
  /** Navigation blocker of the dialog or page. */
  blocker: Blocker
}

/** Asks before unsaved input is lost, whether the dialog closes or the page is left. */
export function useCloseGuard(isDirty: boolean, isBusy: boolean): CloseGuard {
  const { blocker } = useLeaveGuard(isDirty)
  const [answer, setAnswer] = useState<(isAllowed: boolean) => void>()
  const settle = (isAllowed: boolean) => () => {
    setAnswer(undefined)
    answer?.(isAllowed)
  }
  const canClose = () => {
    if (isBusy) return false
    return isDirty ? new Promise<boolean>((resolve) => setAnswer(() => resolve)) : true
  }
  const closing: Blocker | undefined = answer && { state: 'blocked', proceed: settle(true), reset: settle(false) }
  return { canClose, blocker: closing ?? blocker }
}
