import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { AppFrame } from '#ui/layout/app-frame.tsx'

afterEach(cleanup)

const setWidth = (width: number) => act(() => Reflect.get(window, 'happyDOM').setViewport({ width }))

/** The drawer of a phone, opened. */
function openDrawer() {
  setWidth(600)
  const frame = (
    <AppFrame
      brand="Brand"
      header="Top"
      pageKey="/ess"
      sidebar={
        <nav>
          <a href="#here">Systems</a>
        </nav>
      }
    >
      page
    </AppFrame>
  )
  const { container } = render(frame)
  fireEvent.click(screen.getByRole('button', { name: 'Open menu' }))
  const isDrawn = () => container.querySelector('.ui-main')?.hasAttribute('inert')
  expect(isDrawn()).toBe(true)
  return isDrawn
}

it('closes the drawer by a link, even one to the same page', () => {
  const isDrawn = openDrawer()
  fireEvent.click(screen.getByRole('link', { name: 'Systems' }))
  expect(isDrawn()).toBe(false)
})

it('closes the drawer when the screen is turned and has room for the menu', () => {
  const isDrawn = openDrawer()
  setWidth(1200)
  expect(isDrawn()).toBe(false)
})
