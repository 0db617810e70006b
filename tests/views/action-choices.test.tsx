import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import { beginAction, openDialog } from '#tests/support/begin-action.ts'
import { oneBoat } from '#tests/support/boat-form.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const rank = { type: 'enum', label: ['Rank', 'Ранг'], options: { LOW: ['Low', 'Низкий'], TOP: ['Top', 'Высший'] } } as const
const ranked = (giver: 'admin' | 'moderator'): AnyResource => ({
  ...boat,
  fields: { ...boat.fields, rank: { ...rank, givenBy: { TOP: [giver] } } },
  actions: { rate: { label: ['Rate', 'Оценить'], form: { next: rank }, set: { rank: '$form.next' } } },
})

it.each([
  ['leaves out what the viewer may not give', 'moderator', 0],
  ['holds every choice for one who may give it', 'admin', 1],
] as const)('a form of an action %s', async (_, giver, count) => {
  renderScreens({ at: '/boats/b1', tables: oneBoat(), resources: [ranked(giver), sailor] })
  await beginAction('Rate')
  const dialog = await openDialog()
  fireEvent.mouseDown(await dialog.findByRole('combobox', { name: /^Rank/ }))
  await screen.findByRole('option', { name: 'Low' })
  expect(screen.queryAllByRole('option', { name: 'Top' })).toHaveLength(count)
})
