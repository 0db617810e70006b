import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { numbered } from '#tests/support/boat-list.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

it('names what refers to a record that can not be deleted, with links', async () => {
  const uses = [
    { resource: 'sailor', count: 6, records: [{ id: 's1', title: 'Ann' }] },
    { resource: 'unheard-of', count: 1, records: [] },
  ]
  const before = ({ method }: { method: string }) => {
    if (method === 'delete') throw Object.assign(new Error('Others refer to it'), { statusCode: 409, uses })
  }
  const { address } = renderScreens({ at: '/boats/b1', tables: numbered(1), before })
  fireEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  fireEvent.click(screen.getByRole('menuitem', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  const link = await within(dialog).findByRole('link', { name: 'Ann' })
  expect(link.getAttribute('href')).toMatch(/\/s1$/)
  expect(within(dialog).getByRole('alert').textContent).toBe('Others refer to it')
  expect(dialog.textContent).toContain('Sailors: 6')
  expect(dialog.textContent).not.toContain('unheard-of')
  expect(address()).toBe('/boats/b1')
})
