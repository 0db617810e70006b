import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react'

/** Called before navigation to another path; true blocks, and `leave` continues it. */
export type NavigationBlock = (nextPath: string, leave: () => void) => boolean

/** Registers a block with the router's history; returns the unregister function. */
export type RegisterBlock = (block: NavigationBlock) => () => void

const free: RegisterBlock = () => () => undefined

/** Provided by the composition root. Without it navigation is never blocked. */
export const NavigationBlockContext = createContext<RegisterBlock>(free)

export type Blocker = { state: 'unblocked' } | { state: 'blocked'; proceed: () => void; reset: () => void }

/** Blocks links, Back and Forward while `shouldBlock` is true, until `proceed` or `reset`. */
export function useBlocker(shouldBlock: (nextPath: string) => boolean): Blocker {
  const register = useContext(NavigationBlockContext)
  const [held, setHeld] = useState<{ leave: () => void }>()
  const latest = useRef(shouldBlock)
  latest.current = shouldBlock

  useEffect(
    () =>
      register((nextPath, leave) => {
        if (!latest.current(nextPath)) return false
        setHeld({ leave })
        return true
      }),
    [register],
  )
  const reset = useCallback(() => setHeld(undefined), [])
  if (!held) return { state: 'unblocked' }
  return {
    state: 'blocked',
    reset,
    proceed: () => {
      setHeld(undefined)
      held.leave()
    },
  }
}
