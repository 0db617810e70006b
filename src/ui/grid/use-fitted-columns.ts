import { type RefObject, useEffect, useLayoutEffect } from 'react'

/** Widths in px at which long texts are cut, where the columns are wider than their box otherwise. */
const cuts = [180, 160, 140, 120]

/** By the outer width: a scroll bar of the box does not decide whether the box needs one. */
const isOver = (box: HTMLElement) => (box.querySelector('table')?.offsetWidth ?? 0) > box.offsetWidth

/** Uses the widest cell limit at which no column overflows, else the narrowest. */
function fitColumns(box: HTMLElement): void {
  box.style.removeProperty('--cell-max')
  for (const cut of cuts) {
    if (!isOver(box)) break
    box.style.setProperty('--cell-max', `${cut}px`)
  }
  box.toggleAttribute('data-wide', isOver(box))
}

/** Fits the columns to their box whatever the rows have: before they are painted, and when the box or a late part has another width. */
export function useFittedColumns(box: RefObject<HTMLElement | null>, rows: unknown, columns: unknown, density: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: they decide how wide the columns are
  useLayoutEffect(() => {
    if (box.current) fitColumns(box.current)
  }, [box, rows, columns, density])
  useEffect(() => {
    const element = box.current
    const table = element?.firstElementChild
    if (!element || !table) return
    let frame = 0
    let known = ''
    const observer = new ResizeObserver(() => {
      const widths = `${element.clientWidth} ${table.clientWidth}`
      if (widths === known) return
      // In the next frame: a change of what is observed is not allowed here.
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        fitColumns(element)
        known = `${element.clientWidth} ${table.clientWidth}`
      })
    })
    observer.observe(element)
    observer.observe(table)
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [box])
}
