/** Controls and links of a page. */
export const pressed = 'main :is(a[href], button, select, summary, input:not([type=hidden])), header :is(a[href], button)'

/**
 * Targets too small for a finger, with the parts around them that take the press: the label, the box of an input, a part drawn
 * over the edges. A link within a sentence is as high as its line. Run in the page, so it takes nothing from around it.
 */
export function smallTargets(elements: Element[]): string[] {
  const leastPx = 39.5
  const small = new Set<string>()
  for (const element of elements) {
    const isShown = element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    const isInText = element.matches('.ui-link, svg a') || getComputedStyle(element).display === 'inline'
    if (!isShown || isInText) continue
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined
    const around = ['.ui-input', '.ant-select', '.ant-picker', '.ant-input-number', '.ant-input-number-affix-wrapper']
    const parts = [element, label, ...around.map((selector) => element.closest(selector))]
    const boxes = parts.flatMap((part) => (part ? [part.getBoundingClientRect()] : []))
    const over = getComputedStyle(element, '::before')
    const isOver = over.position === 'absolute' && over.content !== 'none'
    const heightPx = Math.max(...boxes.map(({ height }) => height), isOver ? Number.parseFloat(over.height) : 0)
    const widthPx = Math.max(...boxes.map(({ width }) => width), isOver ? Number.parseFloat(over.width) : 0)
    // Out of sight, for screen readers.
    if (Math.min(heightPx, widthPx) < 2 || Math.min(heightPx, widthPx) > leastPx) continue
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 30)
    small.add(`${element.className} “${name}” of ${Math.round(widthPx)} × ${Math.round(heightPx)} px`)
  }
  return [...small]
}
