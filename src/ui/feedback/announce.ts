type Urgency = 'polite' | 'assertive'

/** The page's two live regions exist before the first text: screen readers ignore new regions. */
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
  // The same words again are heard only when they are added again.
  element.replaceChildren(line)
  // Old announcements are cleared: a later reader should not find them.
  setTimeout(() => line.remove(), readMs)
}
