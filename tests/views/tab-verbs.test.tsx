import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RelatedTab } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { save, sent, type } from '#tests/support/boat-form.ts'
import type { Tables } from '#tests/support/memory-provider.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const tables = (): Tables => ({
  sailor: [{ id: 's1', name: 'Ann', version: 1 }],
  boat: [{ id: 'b1', code: 'B001', name: 'Gull', state: 'READY', ownerId: 's1', createdAt: '2026-01-01', version: 1 }],
})

const withTab = (facts: Partial<RelatedTab>, own: Partial<AnyResource> = {}): readonly AnyResource[] => [
  { ...boat, ...own },
  { ...sailor, tabs: { boats: { label: ['Boats', 'Лодки'], resource: 'boat', ...facts } } },
]
const form = '/boats/create?in=sailor%2Fs1%2Fboats'

it('makes a row that belongs to the record, and comes back to the tab with the keyboard on it', async () => {
  const { go, address, calls } = renderScreens({
    at: '/sailor/s1/boats',
    tables: tables(),
    resources: withTab({ create: true }),
  })
  const create = await screen.findByRole('link', { name: 'Create: Boat' })
  expect(create.getAttribute('href')).toBe(form)
  go(form)
  expect(await screen.findByRole('link', { name: 'Cancel' })).toHaveProperty('pathname', '/sailor/s1/boats')
  await type(/^Code/, 'B007')
  expect(screen.queryByRole('combobox', { name: /^Owner/ })).toBeNull()
  expect(screen.getByLabelText(/^Owner/).textContent).toBe('Ann')
  await type(/^Name/, 'Swan')
  save('Create')
  await waitFor(() => expect(address()).toBe('/sailor/s1/boats?sort=-createdAt'))
  expect(sent(calls, 'create')).toEqual([{ code: 'B007', name: 'Swan', kind: 'SAIL', ownerId: 's1' }])
  await waitFor(() => expect(document.activeElement?.textContent).toBe('B007'))
})

it('offers no new row to a role that may not make one, and opens no form for it', async () => {
  const given = { tables: tables(), role: 'moderator' } as const
  const closed = [
    withTab({}),
    withTab({ create: true }, { access: { ...boat.access, create: ['admin'] } }),
    withTab(
      { create: true },
      { fields: { ...boat.fields, ownerId: { ...boat.fields.ownerId, access: { write: ['admin'] } } } },
    ),
  ]
  for (const resources of closed) {
    renderScreens({ at: '/sailor/s1/boats', resources, ...given })
    await screen.findByRole('link', { name: 'B001' })
    expect(screen.queryByRole('link', { name: /^Create/ })).toBeNull()
    cleanup()
    renderScreens({ at: form, resources, ...given })
    await screen.findByText('No access')
    cleanup()
  }
})

it('knows no form for a tab that there is not', async () => {
  for (const place of ['sailor/s1/bots', 'boat/b1/crew', 'sailor//boats', 'sailor/s1', 'nobody/s1/boats']) {
    renderScreens({ at: `/boats/create?in=${place}`, tables: tables(), resources: withTab({ create: true }) })
    await screen.findByText('Not found')
    cleanup()
  }
})

const press = async (name: string, role = 'button') => fireEvent.click(await screen.findByRole(role, { name }))

const others = () => [
  { id: 'b2', code: 'B002', name: 'Tern', ownerId: 's2', version: 2 },
  { id: 'b3', code: 'B003', name: 'Swan', ownerId: null, version: 7 },
]
const fleet = (): Tables => ({
  sailor: [{ id: 's1', name: 'Ann', version: 1 }],
  boat: [{ id: 'b1', code: 'B001', name: 'Gull', ownerId: 's1', version: 4 }, ...others()],
  'boat?ownerId_ne=s1': others(),
})

it('attaches chosen records at the version that was read, and tells one by one what is refused', async () => {
  const { calls } = renderScreens({
    at: '/sailor/s1/boats',
    tables: fleet(),
    resources: withTab({ attach: true }),
    before: ({ method, details }) => {
      if (method !== 'update' || details.id !== 'b3') return
      throw Object.assign(new Error('Some values are wrong'), { statusCode: 400, errors: { ownerId: 'Swan is not for sale' } })
    },
  })
  await press('Attach')
  fireEvent.mouseDown(await screen.findByRole('combobox', { name: /^Boats/ }))
  fireEvent.click(await screen.findByText('B002', { selector: '.ui-choice' }))
  fireEvent.click(await screen.findByText('B003', { selector: '.ui-choice' }))
  const dialog = screen.getByRole('dialog')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Attach' }))
  await screen.findByText('Done: 1, failed: 1, skipped: 0')
  const results = screen.getAllByRole('row').map(({ textContent }) => textContent)
  expect(results).toEqual(expect.arrayContaining(['B003Swan is not for sale', 'B002Done']))
  expect(sent(calls, 'update').toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual([
    { ownerId: 's1', version: 2 },
    { ownerId: 's1', version: 7 },
  ])
  await screen.findByRole('link', { name: 'B002' })
})

it('detaches a row after a question, and offers neither to a role that may not write the reference', async () => {
  const given = { at: '/sailor/s1/boats', resources: withTab({ attach: true, detach: true }) }
  const { calls, notify } = renderScreens({ ...given, tables: fleet() })
  await press('More actions: B001')
  await press('Detach', 'menuitem')
  await screen.findByText('Detach B001?')
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Detach' }))
  await waitFor(() => expect(notify).toHaveBeenCalledWith(expect.objectContaining({ message: 'Detached: B001' })))
  expect(sent(calls, 'update')).toEqual([{ ownerId: null, version: 4 }])
  await waitFor(() => expect(screen.queryByRole('link', { name: 'B001' })).toBeNull())
  cleanup()
  const ownerId = { ...boat.fields.ownerId, access: { write: ['admin'] } } as const
  const closed = withTab({ attach: true, detach: true }, { fields: { ...boat.fields, ownerId } })
  renderScreens({ at: '/sailor/s1/boats', tables: fleet(), resources: closed, role: 'moderator' })
  await screen.findByRole('link', { name: 'B001' })
  expect(screen.queryByRole('button', { name: 'Attach' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'More actions: B001' })).toBeNull()
})
