const marginPx = 24

/** Scrolls a part into view within its box, without scrolling the page. */
export function keepInView(box: HTMLElement | null, selector: string): void {
  const part = box?.querySelector<HTMLElement>(selector)
  if (!box || !part) return
  const [outer, inner] = [box.getBoundingClientRect(), part.getBoundingClientRect()]
  const above = inner.top - marginPx - outer.top
  const below = inner.bottom + marginPx - outer.bottom
  if (above < 0) box.scrollTop += above
  else if (below > 0) box.scrollTop += below
}
