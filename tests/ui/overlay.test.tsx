import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Overlay } from '#ui/overlay/overlay.tsx'

afterEach(cleanup)

const page = (open: boolean) => (
  <>
    <input aria-label="Name" defaultValue="" />
    <Overlay open={open} label="Sign in again">
      <button type="button">Sign in</button>
    </Overlay>
  </>
)

it('makes the page below unreachable without taking it away, and gives the focus back', () => {
  const { rerender, container } = render(page(false))
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
  input.value = 'half a name'
  input.focus()
  rerender(page(true))
  expect(container.hasAttribute('inert')).toBe(true)
  expect(document.activeElement).toBe(screen.getByRole('alertdialog', { name: 'Sign in again' }))
  rerender(page(false))
  expect(container.hasAttribute('inert')).toBe(false)
  expect(input.isConnected && input.value).toBe('half a name')
  expect(document.activeElement).toBe(input)
})

it('covers what is added to the page later, but not what speaks to screen readers', async () => {
  render(page(true))
  const late = document.createElement('div')
  const live = document.createElement('div')
  live.dataset.uiLive = 'polite'
  document.body.append(late, live)
  await waitFor(() => expect(late.hasAttribute('inert')).toBe(true))
  expect(live.hasAttribute('inert')).toBe(false)
  late.remove()
  live.remove()
})

it('leaves inert what was so before', () => {
  const before = document.createElement('div')
  before.setAttribute('inert', '')
  document.body.append(before)
  const { unmount } = render(page(true))
  unmount()
  expect(before.hasAttribute('inert')).toBe(true)
  before.remove()
})
