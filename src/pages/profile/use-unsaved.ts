import { useEffect } from 'react'
import { useBlocker } from '#views/shared/navigation-blocker.ts'

/** Warns before the tab is closed, and blocks navigation, while there is unsaved input. */
export function useUnsaved(isDirty: boolean) {
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])
  return useBlocker((nextPath) => isDirty && nextPath !== '/login')
}
