type Urgency = 'polite' | 'assertive'

/** The page's two live regions: they stand in it before anything is said, or the first words are not heard. */
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

/** Says `text` to screen readers, after what is being said, or at once when it is `urgent`. */
export function announce(text: string, urgent = false): void {
  const element = region(urgent ? 'assertive' : 'polite')
  const line = document.createElement('p')
  line.textContent = text
  // The same words again are heard only when they are added again.
  element.replaceChildren(line)
  // Who reads the page later should not find old news at its end.
  setTimeout(() => line.remove(), readMs)
}
