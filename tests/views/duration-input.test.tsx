import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import { input, oneBoat, save, sent, type } from '#tests/support/boat-form.ts'
import { chooseFilter, numbered } from '#tests/support/boat-list.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const timed: AnyResource = {
  ...boat,
  fields: { ...boat.fields, tripS: { type: 'duration', label: ['Trip', 'Рейс'], min: 60 } },
}
const resources = [timed, sailor]
const tables = () => ({ ...oneBoat(), boat: (oneBoat().boat ?? []).map((row) => ({ ...row, tripS: 5_405 })) })
const typed = async (name: RegExp) => ((await input(name)) as HTMLInputElement).value

it('shows a stored duration whole and takes one as people type it', async () => {
  const { calls } = renderScreens({ at: '/boats/b1/edit', tables: tables(), resources })
  expect(await typed(/^Trip/)).toBe('1 h 30 min 5 s')
  await type(/^Trip/, '90 min')
  expect(screen.getByText('= 1 h 30 min')).toBeTruthy()
  fireEvent.blur(await input(/^Trip/))
  expect(await typed(/^Trip/)).toBe('1 h 30 min')
  save()
  await screen.findByText('Gull')
  expect(sent(calls, 'update')).toMatchObject([{ tripS: 5_400 }])
})

it('keeps what it cannot read, says how to type it, and sends nothing', async () => {
  const { calls } = renderScreens({ at: '/boats/b1/edit', tables: tables(), resources })
  await type(/^Trip/, 'a while')
  expect(screen.getByText('Type it like 1 h 30 min, or in seconds')).toBeTruthy()
  save()
  expect(await screen.findByText('This is not a duration')).toBeTruthy()
  expect(await typed(/^Trip/)).toBe('a while')
  expect(sent(calls, 'update')).toEqual([])
})

it('is filtered by durations as people type them', async () => {
  const { address } = renderScreens({ at: '/boats', tables: numbered(4), resources })
  await screen.findByText('B001')
  chooseFilter('Trip')
  fireEvent.change(await screen.findByLabelText('From'), { target: { value: '1 h' } })
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '90 min' } })
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }))
  await waitFor(() => expect(address()).toBe('/boats?tripS_gte=3600&tripS_lte=5400'))
})
