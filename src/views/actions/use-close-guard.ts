import { useState } from 'react'
import { useLeaveGuard } from '#views/form/draft/use-leave-guard.ts'
import type { Blocker } from '#views/shared/navigation-blocker.ts'

export type CloseGuard = {
  /** Asked before Esc, the cross or a press beside the dialog closes it. */
  canClose: () => boolean | Promise<boolean>
  /** The current blocker of the dialog or page. */
  blocker: Blocker
}

/** Asks before what was typed into a dialog is lost, by closing it as well as by leaving the page. */
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
