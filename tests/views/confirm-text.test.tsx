import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import { numbered } from '#tests/support/boat-list.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const kept: AnyResource = {
  ...boat,
  deletion: {
    body: ['It goes to the yard.', 'Она уходит на верфь.'],
    also: [
      { when: { field: 'state', op: 'eq', value: 'READY' }, text: ['{name} is ready.', '{name} готова.'] },
      { when: { field: 'state', op: 'eq', value: 'SUNK' }, text: ['It is raised first.', 'Сначала её поднимут.'] },
      { text: ['The yard keeps it for a year.', 'Верфь хранит её год.'] },
    ],
  },
}

async function textOf(resource: AnyResource): Promise<string | null> {
  renderScreens({ at: '/boats/b1', tables: numbered(1), resources: [resource, sailor] })
  fireEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  fireEvent.click(screen.getByRole('menuitem', { name: 'Delete' }))
  return (await screen.findByRole('dialog')).textContent
}

it('says before a deletion what the definition says of this record', async () => {
  const text = await textOf(kept)
  expect(text).toMatch(/It goes to the yard\..* is ready\.The yard keeps it for a year\./)
  expect(text).not.toContain('raised')
  expect(text).not.toContain('The record is removed for good.')
})

it('says that the record is removed where the definition says nothing', async () => {
  expect(await textOf(boat)).toContain('The record is removed for good.')
})

const risky = (state: string): AnyResource => ({
  ...boat,
  actions: {
    raze: {
      label: ['Raze', 'Разобрать'],
      confirm: { body: ['It is lost.', 'Она будет потеряна.'], danger: { field: 'state', op: 'eq', value: state } },
    },
  },
})

it.each([
  ['READY', true],
  ['SUNK', false],
])('is red for the records for which the action is dangerous: %s', async (state, isRed) => {
  renderScreens({ at: '/boats/b1', tables: numbered(1), resources: [risky(state), sailor] })
  fireEvent.click(await screen.findByRole('button', { name: 'Raze' }))
  const button = within(await screen.findByRole('dialog')).getByRole('button', { name: 'Raze' })
  expect(button.className.includes('danger')).toBe(isRed)
})

it('sends from an empty list to the list that its text names', async () => {
  const empty = {
    title: ['None yet', 'Пока нет'],
    text: ['Sailors bring them.', 'Их приводят матросы.'],
    sendsTo: 'sailor',
  } as const
  const { create: _, ...access } = boat.access ?? {}
  renderScreens({ at: '/boats', tables: {}, resources: [{ ...boat, access, list: { ...boat.list, empty } }, sailor] })
  expect((await screen.findByRole('link', { name: 'Sailors' })).getAttribute('href')).toMatch(/sailor/)
})
