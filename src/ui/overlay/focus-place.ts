/** An element that has the focus, its number among its neighbours, and what is around it, inmost first: once removed it does not tell. */
export type FocusPlace = { element: Element; order: number; around: readonly Element[] }

const controls = 'button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), a[href]'
const controlsIn = (box: Element | null | undefined): Element[] => [...(box?.querySelectorAll(controls) ?? [])]

export function focusPlaceOf(element: Element): FocusPlace {
  const around: Element[] = []
  for (let each = element.parentElement; each && each.tagName !== 'MAIN' && each !== document.body; each = each.parentElement)
    around.push(each)
  return { element, order: controlsIn(around[0]).indexOf(element), around }
}

export const isFocusLost = (): boolean => document.activeElement === document.body

/** Focuses what is nearest to an element that has gone: the table or the list around it, a control beside it, or the heading. */
export function focusNear({ around, order }: FocusPlace): void {
  const alive = around.find((each) => each.isConnected)
  const beside = controlsIn(alive)
  const index = alive === around[0] ? Math.min(Math.max(order, 0), beside.length - 1) : 0
  // A box around whole parts of the frame has no neighbour that is meant: the page begins with its heading.
  const near = alive?.querySelector('main') ? undefined : (alive?.closest('.ui-grid, [tabindex="0"]') ?? beside[index])
  if (near instanceof HTMLElement) near.focus({ preventScroll: true })
  const heading = document.querySelector('main h1')
  // An element that is not painted takes no focus.
  if (!isFocusLost() || !(heading instanceof HTMLElement)) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
