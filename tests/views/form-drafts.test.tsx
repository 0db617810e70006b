import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { input, oneBoat, save, type } from '#tests/support/boat-form.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const form = () => renderScreens({ at: '/boats/b1/edit', tables: oneBoat() })
const textIn = async (name: RegExp) => ((await input(name)) as HTMLInputElement).value
/** A forced sign-out: nobody is asked, the draft stays. */
const signOut = (screens: { go: (to: string) => void }) => {
  screens.go('/login')
  cleanup()
}
/** A form that offers the draft of an earlier visit, and has other input by now. */
async function typingBesideOffer() {
  const first = form()
  await type(/^Name/, 'Tern')
  signOut(first)
  const second = form()
  await screen.findByText(/There are unsaved changes from/)
  await type(/^Log/, 'storm')
  return second
}
const kept = () => JSON.stringify({ ...localStorage })

it('keeps what is typed while the offer of an earlier draft has no answer, and offers the newer one', async () => {
  const second = await typingBesideOffer()
  signOut(second)
  form()
  fireEvent.click(await screen.findByRole('button', { name: 'Restore' }))
  expect(await textIn(/^Log/)).toBe('storm')
  expect(await textIn(/^Name/)).toBe('Gull')
})

it('leaves one draft after an offer was taken, with what was typed before and after', async () => {
  const second = await typingBesideOffer()
  fireEvent.click(screen.getByRole('button', { name: 'Restore' }))
  signOut(second)
  expect(localStorage.length).toBe(1)
  const third = form()
  fireEvent.click(await screen.findByRole('button', { name: 'Restore' }))
  expect([await textIn(/^Name/), await textIn(/^Log/)]).toEqual(['Tern', 'storm'])
  save()
  await waitFor(() => expect(third.address()).toBe('/boats/b1'))
  expect(localStorage.length).toBe(0)
})

it('keeps an offer without an answer when later input is left on purpose', async () => {
  const second = await typingBesideOffer()
  second.go('/boats')
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  await waitFor(() => expect(second.address()).toBe('/boats'))
  expect(kept()).toContain('Tern')
  expect(kept()).not.toContain('storm')
})

it('leaves the draft of another tab alone when a form without changes closes', async () => {
  const idle = form()
  await input(/^Name/)
  const typing = form()
  const name = await within(typing.container).findByLabelText(/^Name/)
  fireEvent.change(name, { target: { value: 'Tern' } })
  await waitFor(() => expect(kept()).toContain('Tern'))
  idle.unmount()
  expect(kept()).toContain('Tern')
  fireEvent.change(name, { target: { value: 'Gull' } })
  await waitFor(() => expect(localStorage.length).toBe(0))
})

it('keeps the drafts of two tabs with the same form apart, and offers both one after the other', async () => {
  const tabs = [
    renderScreens({ at: '/boats/create', tables: oneBoat() }),
    renderScreens({ at: '/boats/create', tables: oneBoat() }),
  ]
  for (const [index, { container }] of tabs.entries()) {
    const name = await within(container).findByLabelText(/^Name/)
    fireEvent.change(name, { target: { value: `Tern ${index + 1}` } })
    await waitFor(() => expect(kept()).toContain(`Tern ${index + 1}`))
  }
  fireEvent(window, new Event('pagehide'))
  expect(localStorage.length).toBe(2)
  for (const tab of tabs) tab.go('/login')
  cleanup()
  renderScreens({ at: '/boats/create', tables: oneBoat() })
  fireEvent.click(await screen.findByRole('button', { name: 'Discard' }))
  expect(localStorage.length).toBe(1)
  fireEvent.click(await screen.findByRole('button', { name: 'Restore' }))
  expect(await textIn(/^Name/)).toMatch(/^Tern [12]$/)
})
