import { isAllowed, type Permissions } from '#schema/permissions.ts'
import type { Action, AnyResource } from '#schema/resource.ts'

/** The letter of a key; on a non-Latin keyboard the letter at that physical position. */
export function letterOf({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string | undefined {
  if (shiftKey) return undefined
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : undefined
}

/** The question mark; on a non-Latin keyboard by its physical position. */
export const isHelp = ({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): boolean =>
  key === '?' || (shiftKey && code === 'Slash')

const typed = 'input:not([type=checkbox]), textarea, select, [contenteditable=true]'
const ofItsOwn = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/** True for a key that is typed into a field, is a browser command, or belongs to a dialog or menu. */
export function isElsewhere(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true
  return event.target instanceof Element && event.target.closest(`${typed}, ${ofItsOwn}`) !== null
}

/** The action that a letter starts; undefined where the viewer has none. */
export function actionOfKey(
  resource: AnyResource,
  permissions: Permissions,
  letter: string | undefined,
): { name: string; action: Action } | undefined {
  const [name, action] = Object.entries(resource.actions ?? {}).find(([, { key }]) => key !== undefined && key === letter) ?? []
  return name && action && isAllowed(permissions, resource.name, name) ? { name, action } : undefined
}
