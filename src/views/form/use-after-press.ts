import { useCallback, useEffect, useRef } from 'react'

/**
 * Runs work now, or when the button of the mouse is let go: leaving a field by pressing a button takes its focus first, and a message
 * that appears at that moment would move the button away from under the press, so that it would never become a click.
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
      // The click follows in the same turn.
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
