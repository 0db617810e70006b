import { useEffect, useRef } from 'react'
import { type Blocker, useBlocker } from '#views/shared/navigation-blocker.ts'
import { useViews } from '#views/shared/view-context.tsx'

export type LeaveGuard = {
  blocker: Blocker
  /** Disables the guard: the form was saved or cancelled. */
  release: () => void
}

/**
 * Asks before unsaved changes are lost: links, Back and Forward, closing the tab. A forced sign-out passes; its draft stays.
 */
export function useLeaveGuard(isDirty: boolean): LeaveGuard {
  const { signInPath } = useViews()
  const isReleased = useRef(false)
  const blocker = useBlocker((nextPath) => isDirty && !isReleased.current && nextPath !== signInPath)
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => {
      if (!isReleased.current) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])
  return {
    blocker,
    release: () => {
      isReleased.current = true
    },
  }
}
