import type { KeyboardEvent } from 'react'

const isSubmit = (element: Element): element is HTMLButtonElement =>
  element instanceof HTMLButtonElement && element.type === 'submit'

/** Ctrl+Enter or Cmd+Enter in an area of text, where Enter begins a line, presses the button that sends its form. */
export function sendForm(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { form } = event.currentTarget
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing || !form) return
  event.preventDefault()
  ;[...form.elements].find(isSubmit)?.click()
}
