import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { input, save, sent, type } from '#tests/support/boat-form.ts'
import { booth, boothResources } from '#tests/support/booth-definitions.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

/** At the address that the screens of the tests are at. */
const resources = [{ ...booth, name: 'boat', route: 'boats' }, boothResources[0]]
const stored = (more: object) => ({
  boat: [{ id: 'b1', hall: 'A', number: 1, label: 'A-1', state: 'OPEN', reason: null, price: 5, version: 1, ...more }],
  user: [{ id: 'u1', email: 'ann@example.com', version: 1 }],
})
const shownIn = async (name: RegExp) => Reflect.get(await input(name), 'value')

it('lets a default follow what it reads until a person writes it', async () => {
  const { calls } = renderScreens({ at: '/boats/create', resources })
  await type(/^Hall/, 'A')
  expect(await shownIn(/^Label/)).toBe('')
  await type(/^Number/, '7')
  expect(await shownIn(/^Label/)).toBe('A-7')
  expect(await shownIn(/^Bill/)).toBe('A-7')
  await type(/^Label/, 'Corner')
  await type(/^Hall/, 'B')
  expect(await shownIn(/^Label/)).toBe('Corner')
  expect(await shownIn(/^Bill/)).toBe('Corner')
  save('Create')
  const day = new Date().toISOString().slice(0, 10)
  await waitFor(() =>
    expect(sent(calls, 'create')).toEqual([
      { hall: 'B', number: 7, heldOn: day, label: 'Corner', bill: 'Corner', state: 'OPEN' },
    ]),
  )
})

it('lets no default fill a stored record', async () => {
  renderScreens({ at: '/boats/b1/edit', resources, tables: stored({ label: 'Corner' }) })
  await type(/^Hall/, 'B')
  expect(await shownIn(/^Label/)).toBe('Corner')
  expect(await shownIn(/^Bill/)).toBe('')
})

it('asks for a field where its rule requires it', async () => {
  const { calls } = renderScreens({ at: '/boats/b1/edit', resources, tables: stored({ state: 'SHUT', reason: 'Rain' }) })
  expect((await input(/^Reason/)).getAttribute('aria-required') ?? Reflect.get(await input(/^Reason/), 'required')).toBeTruthy()
  await type(/^Reason/, '')
  save()
  expect((await screen.findAllByText(/This field is required/)).length).toBeGreaterThan(0)
  expect(sent(calls, 'update')).toEqual([])
})

it('shows a value instead of an input where the stored record closes it', async () => {
  renderScreens({ at: '/boats/b1/edit', resources, tables: stored({ state: 'SHUT', reason: 'Rain' }) })
  await input(/^Reason/)
  expect(screen.queryByRole('textbox', { name: /^Price/ })).toBeNull()
  expect(screen.getByText('5')).toBeTruthy()
  cleanup()
  renderScreens({ at: '/boats/b1/edit', resources, tables: stored({}) })
  expect(await shownIn(/^Price/)).toBe('5')
})

it.each(['ask', 'form'])('has one button called Cancel where the action is called so: %s', async (kind) => {
  const label = ['Cancel', 'Отменить'] as const
  const form = { note: { type: 'text', label: ['Note', 'Заметка'] } } as const
  const cancel = kind === 'ask' ? { label, confirm: { body: ['It ends.', 'Конец.'] as const } } : { label, form }
  const own = [{ ...booth, name: 'boat', route: 'boats', actions: { cancel } }, boothResources[0]]
  renderScreens({ at: '/boats/b1', resources: own, tables: stored({}) })
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findAllByRole('button', { name: 'Cancel' })).toHaveLength(1)
  expect(within(dialog).getAllByRole('button', { name: 'Close' }).length).toBeGreaterThan(0)
})
