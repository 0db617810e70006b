import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Tables } from '#tests/support/memory-provider.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const tables = (): Tables => ({
  sailor: [
    { id: 's1', name: 'Ann', version: 1 },
    { id: 's2', name: 'Bob', version: 1 },
  ],
  boat: [
    { id: 'b1', code: 'B001', name: 'Gull', state: 'READY', ownerId: 's1', version: 1 },
    { id: 'b2', code: 'B002', name: 'Tern', state: 'READY', ownerId: 's2', version: 1 },
  ],
})

it('opens a row of a tab inside the record, under the segment that the tab names', async () => {
  renderScreens({ at: '/sailor/s1/boats', tables: tables() })
  const link = await screen.findByRole('link', { name: 'B001' })
  expect(link.getAttribute('href')).toBe('/sailor/s1/boat/b1')
})

it('keeps the head and the tabs of the record around the row, and leads back to the tab', async () => {
  renderScreens({ at: '/sailor/s1/boat/b1', tables: tables() })
  const heading = await screen.findByRole('heading', { level: 2, name: 'B001' })
  expect(document.activeElement).toBe(heading)
  expect(screen.getByRole('heading', { level: 1, name: 'Ann' })).toBeTruthy()
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Boats')
  expect(screen.getByText('Gull')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Sink' })).toBeTruthy()
  const back = screen.getAllByRole('link', { name: 'Boats' }).map((link) => link.getAttribute('href'))
  expect(back).toEqual(['/sailor/s1/boats', '/sailor/s1/boats'])
})

it('shows no row that belongs to another record, and none that is not there', async () => {
  const { unmount } = renderScreens({ at: '/sailor/s1/boat/b2', tables: tables() })
  await screen.findByText('Not found')
  expect(screen.queryByText('Tern')).toBeNull()
  unmount()
  renderScreens({ at: '/sailor/s1/boat/b9', tables: tables() })
  await screen.findByText('Not found')
})

it('knows no such place where no tab names it', async () => {
  renderScreens({ at: '/sailor/s1/boats/b1', tables: tables() })
  await screen.findByText('Not found')
})

it('offers no choice of what every row of a record has in common', async () => {
  const choices = async (at: string) => {
    renderScreens({ at, tables: tables() })
    fireEvent.click(await screen.findByRole('button', { name: 'Filters' }))
    const names = screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
    cleanup()
    return names
  }
  const [own, all] = [await choices('/sailor/s1/boats'), await choices('/boats')]
  expect(all).toContain('Owner')
  expect(own).toEqual(all.filter((name) => name !== 'Owner'))
})
