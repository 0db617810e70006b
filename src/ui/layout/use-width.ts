import { type RefObject, useLayoutEffect, useState } from 'react'

/** Observes the width of a box in whole pixels; 0 before layout. */
export function useWidth(box: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(0)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setWidthPx(Math.floor(element.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return widthPx
}
