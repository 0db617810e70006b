import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { Menu } from '#ui/overlay/menu.tsx'

afterEach(cleanup)

function openMenu(onSelect = vi.fn()) {
  render(
    <Menu
      label="Actions"
      items={[
        { key: 'edit', label: 'Edit', href: '/edit' },
        { key: 'off', label: 'Restart', disabled: true },
        { key: 'line', separator: true },
        { key: 'delete', label: 'Delete', danger: true, onSelect },
      ]}
    />,
  )
  const button = screen.getByRole('button', { name: 'Actions' })
  button.focus()
  return { button, onSelect, press: (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key }) }
}

const focused = () => document.activeElement?.textContent

it('opens with an arrow on its first or last entry', () => {
  const { button, press } = openMenu()
  press('ArrowDown')
  expect(button.getAttribute('aria-expanded')).toBe('true')
  expect(focused()).toBe('Edit')
  press('Escape')
  press('ArrowUp')
  expect(focused()).toBe('Delete')
})

it('goes round with the arrows and skips what cannot be chosen', () => {
  const { press } = openMenu()
  press('ArrowDown')
  press('ArrowDown')
  expect(focused()).toBe('Delete')
  press('ArrowDown')
  expect(focused()).toBe('Edit')
  press('End')
  expect(focused()).toBe('Delete')
  press('e')
  expect(focused()).toBe('Edit')
})

it('goes to what is typed, by the beginning of any word, and with one letter again to the one after', () => {
  vi.useFakeTimers()
  render(
    <Menu
      label="Filters"
      items={['State', 'Status', 'Open warnings', 'Since', 'Worst state'].map((label) => ({ key: label, label }))}
    />,
  )
  screen.getByRole('button', { name: 'Filters' }).focus()
  const type = (...keys: string[]) => {
    vi.advanceTimersByTime(1_000)
    const event = (key: string) => new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    for (const key of keys) fireEvent(document.activeElement ?? document.body, event(key))
    return focused()
  }
  type('ArrowDown')
  expect(type('s', 't', 'a', 't', 'u')).toBe('Status')
  expect(type('W', 'a')).toBe('Open warnings')
  expect(type('s')).toBe('Since')
  expect(type('s')).toBe('Worst state')
  expect(type('s', 's')).toBe('Status')
  expect(type('z')).toBe('Status')
  vi.useRealTimers()
})

it('closes on Esc and gives the focus back to its button', () => {
  const { button, press } = openMenu()
  press('ArrowDown')
  press('Escape')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(document.activeElement).toBe(button)
})

it('closes before it does what was chosen', () => {
  const { press, onSelect } = openMenu()
  press('ArrowUp')
  fireEvent.click(document.activeElement ?? document.body)
  expect(onSelect).toHaveBeenCalledOnce()
  expect(screen.queryByRole('menu')).toBeNull()
})

it('does nothing for an entry that is off', () => {
  openMenu()
  fireEvent.click(screen.getByRole('button', { name: 'Actions' }))
  fireEvent.click(screen.getByText('Restart'))
  expect(screen.queryByRole('menu')).not.toBeNull()
})

it('closes when something else is pressed', () => {
  openMenu()
  fireEvent.click(screen.getByRole('button', { name: 'Actions' }))
  fireEvent.pointerDown(document.body)
  expect(screen.queryByRole('menu')).toBeNull()
})
