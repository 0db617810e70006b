/** The letter of a key: as it is written, or on a keyboard of other letters as it lies. */
export function letterOf({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string | undefined {
  if (shiftKey) return undefined
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : undefined
}

/** The question mark, on a keyboard of other letters by its place. */
export const isHelp = ({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): boolean =>
  key === '?' || (shiftKey && code === 'Slash')

const typed = 'input:not([type=checkbox]), textarea, select, [contenteditable=true]'
const ofItsOwn = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/** A key that is typed into a field, is a command of the browser, or belongs to a dialog or a menu. */
export function isElsewhere(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true
  return event.target instanceof Element && event.target.closest(`${typed}, ${ofItsOwn}`) !== null
}
