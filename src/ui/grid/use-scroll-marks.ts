import { type RefObject, useEffect } from 'react'

/**
 * Marks a box that scrolls horizontally: `data-scrolled` when content is hidden at its start, `data-more` at its end. A box that
 * scrolls is a tab stop, so that the arrow keys reach what is hidden.
 */
export function useScrollMarks(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = box.current
    if (!element) return
    const mark = () => {
      const rest = element.scrollWidth - element.clientWidth - element.scrollLeft
      element.toggleAttribute('data-scrolled', element.scrollLeft > 0)
      element.toggleAttribute('data-more', rest > 1)
      const isHigh = element.hasAttribute('data-boxed') && element.scrollHeight > element.clientHeight + 1
      element.tabIndex = isHigh || element.scrollWidth > element.clientWidth + 1 ? 0 : -1
    }
    mark()
    const observer = new ResizeObserver(mark)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', mark, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', mark)
    }
  }, [box])
}
