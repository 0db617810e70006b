import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import { input, oneBoat, type } from '#tests/support/boat-form.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const ending: AnyResource = {
  ...boat,
  ends: { name: { tab: 'crew', label: ['Another name ends the jobs of {count}:', 'Другое имя завершит работу ({count}):'] } },
}
const crewOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `s${index}`, name: `Sailor ${index}`, version: 1 }))

it('says before another value is saved which rows it ends, and how many', async () => {
  const tables = { ...oneBoat(), 'boat/b1/crew': crewOf(12) }
  renderScreens({ at: '/boats/b1/edit', tables, resources: [ending, sailor] })
  await input(/^Name/)
  expect(screen.queryByText(/Another name ends/)).toBeNull()
  await type(/^Name/, 'Tern')
  const note = await screen.findByText('Another name ends the jobs of 12:')
  const named = [...(note.parentElement?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent)
  expect(named).toEqual([...crewOf(10).map(({ name }) => name), '…'])
  await type(/^Name/, 'Gull')
  expect(screen.queryByText(/Another name ends/)).toBeNull()
})

it('says nothing where another value ends no row', async () => {
  renderScreens({ at: '/boats/b1/edit', tables: { ...oneBoat(), 'boat/b1/crew': [] }, resources: [ending, sailor] })
  await type(/^Name/, 'Tern')
  await screen.findByText('Unsaved changes')
  expect(screen.queryByText(/Another name ends/)).toBeNull()
})

it('counts the rows beyond those of one page', async () => {
  renderScreens({ at: '/boats/b1/edit', tables: { ...oneBoat(), 'boat/b1/crew': crewOf(250) }, resources: [ending, sailor] })
  await type(/^Name/, 'Tern')
  await screen.findByText('Another name ends the jobs of 250:')
})

it('lists the rows of a call of its own', async () => {
  const ends = { name: { tab: 'crew', from: 'boat/{id}/leaving', label: ['{count} leave:', 'Уходят ({count}):'] } } as const
  const tables = { ...oneBoat(), 'boat/b1/crew': crewOf(12), 'boat/b1/leaving': crewOf(3) }
  renderScreens({ at: '/boats/b1/edit', tables, resources: [{ ...boat, ends }, sailor] })
  await type(/^Name/, 'Tern')
  await screen.findByText('3 leave:')
})
