import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { heldUpdate, input, oneBoat, save, sent, type } from '#tests/support/boat-form.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => {
  localStorage.clear()
  localStorage.clear()
})
afterEach(cleanup)
expectQuietConsole()

it('offers no input for a read-only field, and one for an immutable field only on create', async () => {
  renderScreens({ at: '/boats/b1/edit', tables: oneBoat() })
  await input(/^Name/)
  expect(screen.queryByLabelText(/^State/)).toBeNull()
  expect(screen.queryByLabelText(/^Code/)).toBeNull()
  cleanup()
  renderScreens({ at: '/boats/create', tables: oneBoat() })
  await input(/^Code/)
  expect(screen.queryByLabelText(/^State/)).toBeNull()
})

it('offers no input for a field that the role may not see', async () => {
  renderScreens({ at: '/boats/b1/edit', tables: oneBoat(), role: 'moderator' })
  await input(/^Name/)
  expect(screen.queryByLabelText(/^Secret note/)).toBeNull()
})

it('lets nobody in who may not edit, and asks for nothing', () => {
  const { calls } = renderScreens({ at: '/boats/b1/edit', tables: oneBoat(), role: 'service_engineer' })
  expect(screen.getByRole('alert').textContent).toContain('No access')
  expect(calls).toEqual([])
})

it('creates a record with its defaults and opens its page', async () => {
  const { address, calls, notify } = renderScreens({ at: '/boats/create' })
  await type(/^Code/, 'B007')
  await type(/^Name/, '  Swan ')
  save('Create')
  await waitFor(() => expect(address()).toBe('/boats/new-1'))
  expect(sent(calls, 'create')).toEqual([{ code: 'B007', name: 'Swan', kind: 'SAIL' }])
  expect(notify).toHaveBeenCalledWith(expect.objectContaining({ type: 'success', message: 'Created: B007' }))
  await screen.findByRole('heading', { level: 1, name: 'B007' })
})

it('marks what a group must have only once something of it is there', async () => {
  renderScreens({ at: '/boats/create' })
  const isMarked = async () => (await input(/^Pier/)).hasAttribute('aria-required')
  expect(await isMarked()).toBe(false)
  await type(/^Place/, '4')
  expect(await isMarked()).toBe(true)
  await type(/^Place/, '')
  expect(await isMarked()).toBe(false)
})

it('says everything that is wrong at once, links to it, and focuses the first', async () => {
  const { calls } = renderScreens({ at: '/boats/create' })
  await type(/^Name/, 'A name that is much too long')
  await type(/^Pier/, '')
  await type(/^Built/, '2026-03-31')
  await type(/^Sold/, '2025-01-01')
  save('Create')
  const summary = await screen.findByRole('alert')
  expect(
    within(summary)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['Code', 'Name', 'Sold'])
  expect(summary.textContent).toContain('A boat is sold after it was built')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Code/)))
  fireEvent.click(within(summary).getByRole('link', { name: 'Sold' }))
  expect(document.activeElement).toBe(screen.getByLabelText(/^Sold/))
  expect(screen.getByLabelText(/^Name/).getAttribute('aria-invalid')).toBe('true')
  expect(sent(calls, 'create')).toEqual([])
})

it('checks a field when it is left, not while it is typed', async () => {
  renderScreens({ at: '/boats/create' })
  await type(/^Name/, 'A name that is much too long')
  expect(screen.queryByText('Use at most 20 characters')).toBeNull()
  fireEvent.blur(screen.getByLabelText(/^Name/))
  await screen.findByText('Use at most 20 characters')
})

it('speaks Russian', async () => {
  renderScreens({ at: '/boats/create', language: 'ru' })
  await input(/^Код/)
  save('Создать')
  await screen.findAllByText('Обязательное поле')
})

it('shows a field when its rule holds, and wants it then', async () => {
  const tables = oneBoat()
  Object.assign(tables.boat?.[0] ?? {}, { kind: 'MOTOR' })
  const { calls } = renderScreens({ at: '/boats/b1/edit', tables })
  await type(/^Name/, 'Tern')
  expect(screen.getByLabelText(/^Engine/)).toBeTruthy()
  save()
  await screen.findAllByText('This field is required')
  expect(sent(calls, 'update')).toEqual([])
  cleanup()
  renderScreens({ at: '/boats/b1/edit', tables: oneBoat() })
  await input(/^Name/)
  expect(screen.queryByLabelText(/^Engine/)).toBeNull()
})

it('sends only what was changed, with the version, and shows the record', async () => {
  const { address, calls } = renderScreens({ at: '/boats/b1/edit', tables: oneBoat() })
  await type(/^Name/, 'Tern')
  await type(/^Pier/, 'South')
  save()
  await waitFor(() => expect(address()).toBe('/boats/b1'))
  expect(sent(calls, 'update')).toEqual([{ name: 'Tern', berth: { pier: 'South', place: 4 }, version: 3 }])
  await screen.findByText('Tern')
})

it('puts the server’s faults on their fields and keeps what was typed', async () => {
  const { address } = renderScreens({
    at: '/boats/create',
    before: ({ method }) => {
      if (method === 'create')
        throw Object.assign(new Error('Bad'), { statusCode: 400, errors: { code: 'This code is taken' } })
    },
  })
  await type(/^Code/, 'B001')
  await type(/^Name/, 'Gull')
  save('Create')
  await screen.findAllByText('This code is taken')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Code/)))
  expect((screen.getByLabelText(/^Name/) as HTMLInputElement).value).toBe('Gull')
  expect(address()).toBe('/boats/create')
  await type(/^Code/, 'B002')
  expect(screen.queryAllByText('This code is taken')).toEqual([])
})

it('sends once, however often it is asked to', async () => {
  const { before, release } = heldUpdate()
  const { calls, address } = renderScreens({
    at: '/boats/b1/edit',
    tables: oneBoat(),
    before,
  })
  await type(/^Name/, 'Tern')
  save()
  save()
  fireEvent.keyDown(document, { key: 's', ctrlKey: true })
  await waitFor(() => expect(sent(calls, 'update')).toHaveLength(1))
  await act(async () => release())
  await waitFor(() => expect(address()).toBe('/boats/b1'))
  expect(sent(calls, 'update')).toHaveLength(1)
})

it('saves on Ctrl+S', async () => {
  const { address } = renderScreens({ at: '/boats/b1/edit', tables: oneBoat() })
  await type(/^Name/, 'Tern')
  fireEvent.keyDown(screen.getByLabelText(/^Name/), { key: 's', ctrlKey: true })
  await waitFor(() => expect(address()).toBe('/boats/b1'))
})

it('has the unit and the reading aid of a number in the description of its input', async () => {
  renderScreens({ at: '/boats/b1/edit', tables: oneBoat() })
  const described = (await input(/^Power/)).getAttribute('aria-describedby')?.split(' ') ?? []
  expect(described.map((id) => document.getElementById(id)?.textContent).toSorted()).toEqual(['= 12.5 kW', 'W'])
})
