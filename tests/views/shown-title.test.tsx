import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { oneBoat, save, type } from '#tests/support/boat-form.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

it('a record whose title is a code is named by its label in its form, when it is saved and before it is deleted', async () => {
  const resources = [{ ...boat, title: 'kind' }, sailor]
  const { notify } = renderScreens({ at: '/boats/b1/edit', tables: oneBoat(), resources })
  await screen.findByRole('heading', { name: 'Edit Sail' })
  expect(screen.getByRole('link', { name: 'Sail' }).getAttribute('href')).toBe('/boats/b1')
  await type(/^Name/, 'Tern')
  save()
  await waitFor(() => expect(notify).toHaveBeenCalledWith(expect.objectContaining({ message: 'Saved: Sail' })))
  fireEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  fireEvent.click(screen.getByRole('menuitem', { name: 'Delete' }))
  expect(await screen.findByRole('dialog', { name: 'Delete Sail?' })).toBeTruthy()
})
