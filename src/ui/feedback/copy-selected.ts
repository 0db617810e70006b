/** Without https, and without the permission, a page may only copy what is selected. */
export function copySelected(text: string, beside: HTMLElement): boolean {
  const copy = document.createElement('span')
  copy.textContent = text
  copy.style.cssText = 'position:fixed;opacity:0;white-space:pre;user-select:text'
  // Beside the button: outside of an open dialog nothing can be selected.
  beside.after(copy)
  const selection = getSelection()
  selection?.selectAllChildren(copy)
  const isCopied = document.execCommand('copy')
  selection?.removeAllRanges()
  copy.remove()
  return isCopied
}
