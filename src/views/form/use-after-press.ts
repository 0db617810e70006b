import { useCallback, useEffect, useRef } from 'react'

/**
 * Runs work now, or after mouse-up: clicking a button blurs the field first, and a message that appears then would move the
 * button away from under the pointer before the click completes.
 */
export function useAfterPress(): (work: () => void) => void {
  const press = useRef<{ waiting: (() => void)[] }>(undefined)
  useEffect(() => {
    const begin = () => {
      press.current = { waiting: [] }
    }
    const end = () => {
      const { waiting = [] } = press.current ?? {}
      press.current = undefined
      // The click event follows in the same task.
      if (waiting.length > 0) setTimeout(() => waiting.forEach((work) => void work()))
    }
    window.addEventListener('pointerdown', begin, true)
    for (const type of ['pointerup', 'pointercancel', 'blur']) window.addEventListener(type, end, type !== 'blur')
    return () => {
      window.removeEventListener('pointerdown', begin, true)
      for (const type of ['pointerup', 'pointercancel', 'blur']) window.removeEventListener(type, end, type !== 'blur')
    }
  }, [])
  return useCallback((work) => {
    if (press.current) press.current.waiting.push(work)
    else work()
  }, [])
}
