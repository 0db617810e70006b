import { afterEach, beforeEach, expect, it } from 'vitest'
import { onFocusLost } from '#ui/overlay/focus-lost.ts'
import { keepFocus } from '#ui/overlay/keep-focus.ts'

let stop: () => void
const find = (selector: string) => {
  const found = document.querySelector<HTMLElement>(selector)
  if (!found) throw new Error(`nothing is at ${selector}`)
  return found
}
/** Longer than the watcher waits for others to set the focus. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 250))

beforeEach(() => {
  document.body.innerHTML = `
    <div class="ui-frame"><div class="ui-main">
      <div id="banner"><button>Hide</button></div>
      <main>
        <h1>ESS-1</h1>
        <div id="deeds"><a href="/edit">Edit</a><button id="resume">Resume</button><button>Pause</button></div>
        <section id="table" tabindex="0"><table><tbody><tr><td><button id="undo">Undo</button></td></tr></tbody></table></section>
      </main>
    </div></div>
    <div role="dialog"><button id="confirm">Confirm</button></div>`
  stop = keepFocus()
})
afterEach(() => stop())

/** Focuses an element, removes it, or what is around it, and tells what has the focus then. */
async function afterRemovalOf(selector: string, removed = selector) {
  find(selector).focus()
  find(removed).remove()
  // Browsers do this by themselves.
  if (!document.activeElement?.isConnected) (document.activeElement as HTMLElement | null)?.blur()
  await settled()
  return document.activeElement
}

it.each([
  ['the one that takes its place beside it', '#resume', '#resume', '#deeds button'],
  ['the table around it', '#undo', '#undo', '#table'],
  ['the heading, when a part of the frame has gone', '#banner button', '#banner', 'h1'],
])('a control that goes leaves the focus to %s', async (_title, focused, removed, next) => {
  expect(await afterRemovalOf(focused, removed)).toBe(find(next))
})

it('is left to the page where that sees to it, and to dialogs', async () => {
  const end = onFocusLost(() => true)
  expect(await afterRemovalOf('#undo')).toBe(document.body)
  end()
  expect(await afterRemovalOf('#confirm', '[role=dialog]')).toBe(document.body)
})

it('is not moved where something else has it by then', async () => {
  const kept = afterRemovalOf('#undo')
  find('#resume').focus()
  expect(await kept).toBe(find('#resume'))
})
