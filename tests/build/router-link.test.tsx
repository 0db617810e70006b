import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Link } from '#build/slim/react-router.tsx'

// Nothing here answers to what the browser itself would open.
const stayHere = (event: Event) => event.preventDefault()
beforeEach(() => document.addEventListener('click', stayHere))
afterEach(() => {
  document.removeEventListener('click', stayHere)
  cleanup()
})

const Place = () => <output>{useLocation().pathname}</output>

const show = (props: { target?: string } = {}) =>
  render(
    <MemoryRouter initialEntries={['/ess']}>
      <Link to="/client/5" {...props}>
        Client
      </Link>
      <Place />
    </MemoryRouter>,
  )

it('follows a plain click without a reload', () => {
  show()
  expect(screen.getByRole('link').getAttribute('href')).toBe('/client/5')
  fireEvent.click(screen.getByRole('link'))
  expect(screen.getByRole('status').textContent).toBe('/client/5')
})

it('leaves new tabs to the browser', () => {
  show()
  fireEvent.click(screen.getByRole('link'), { ctrlKey: true })
  expect(screen.getByRole('status').textContent).toBe('/ess')
  cleanup()
  show({ target: '_blank' })
  fireEvent.click(screen.getByRole('link'))
  expect(screen.getByRole('status').textContent).toBe('/ess')
})
