type Urgency = 'polite' | 'assertive'

/** The two live regions exist before the first text: screen readers ignore text in a region that has just been added. */
function region(urgency: Urgency): HTMLElement {
  const found = document.querySelector<HTMLElement>(`[data-ui-live="${urgency}"]`)
  if (found) return found
  const element = document.createElement('div')
  element.dataset.uiLive = urgency
  element.className = 'ui-hidden'
  element.setAttribute('aria-live', urgency)
  document.body.append(element)
  return element
}

const readMs = 5000

/** Announces `text` to screen readers, queued, or at once when `urgent`. */
export function announce(text: string, urgent = false): void {
  const element = region(urgent ? 'assertive' : 'polite')
  const line = document.createElement('p')
  line.textContent = text
  // Repeated text is announced only when its node is replaced.
  element.replaceChildren(line)
  // Old announcements are removed, so that a screen reader does not find them later.
  setTimeout(() => line.remove(), readMs)
}
