import { type RefObject, useLayoutEffect } from 'react'

/** Tells the page how high the bar over its foot is, so that what gets the focus, and the last row, stop above it. */
export function useBarHeight(bar: RefObject<HTMLElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    const element = bar.current
    if (!element || !isShown) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--view-bulk-height', `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--view-bulk-height')
    }
  }, [bar, isShown])
}
