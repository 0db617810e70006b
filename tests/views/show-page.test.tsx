import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Tables } from '#tests/support/memory-provider.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const fleet = (): Tables => ({
  boat: ['Gull', 'Tern'].map((name, index) => ({
    id: `b${index + 1}`,
    code: `B00${index + 1}`,
    name,
    kind: 'SAIL',
    state: index === 0 ? 'READY' : 'SUNK',
    powerW: 12_500,
    ownerId: 's1',
    owner: { id: 's1', name: 'Ann' },
    builtOn: '2026-03-31',
    soldOn: null,
    secretNote: 'psst',
    berth: { pier: 'North', place: 4 },
    log: `The log of ${name}`,
    version: 3,
    createdAt: '2026-01-02T03:04:05.000Z',
    updatedAt: '2026-02-03T04:05:06.000Z',
  })),
  sailor: [{ id: 's1', name: 'Ann', version: 1 }],
  'boat/b1/crew': [
    { id: 's1', name: 'Captain', version: 1 },
    { id: 's2', name: 'Mate', version: 1 },
  ],
})

/** Holds the answers to some calls back until told. */
function gate(isHeld: (id: unknown) => boolean) {
  const waiting: (() => void)[] = []
  const before = ({ method, details }: { method: string; details: Record<string, unknown> }) =>
    method === 'one' && isHeld(details.id) ? new Promise<void>((resolve) => waiting.push(resolve)) : undefined
  const release = () => {
    for (const go of waiting.splice(0)) go()
  }
  return { before, release }
}

it('shows the record in its sections, named by its title', async () => {
  renderScreens({ at: '/boats/b1', tables: fleet() })
  await screen.findByRole('heading', { level: 1, name: 'B001' })
  expect(screen.getByText('12.5 kW')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Ann' }).getAttribute('href')).toBe('/sailor/s1')
  expect(screen.getByText('31 Mar 2026')).toBeTruthy()
  expect(screen.getByText('North')).toBeTruthy()
  expect(await screen.findByText('Version 3')).toBeTruthy()
  expect(screen.getAllByText('No value').length).toBeGreaterThan(0)
})

it('hides what the role may not read, and links to nothing it may not open', async () => {
  renderScreens({ at: '/boats/b1', tables: fleet(), role: 'service_engineer' })
  await screen.findByText('Ann')
  expect(screen.queryByText('psst')).toBeNull()
  expect(screen.queryByRole('link', { name: 'Ann' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull()
})

it('opens from the list’s row at once and fills in the rest', async () => {
  const { before, release } = gate(() => true)
  const tables = fleet()
  renderScreens({ at: '/boats', tables, before })
  fireEvent.click(await screen.findByText('B001'))
  expect(screen.getByRole('heading', { level: 1, name: 'B001' })).toBeTruthy()
  release()
  await screen.findByText('The log of Gull')
})

it('never shows record 1 under the address of record 2', async () => {
  const { before, release } = gate((id) => id === 'b2')
  const { go } = renderScreens({ at: '/boats/b1', tables: fleet(), before })
  await screen.findByRole('heading', { level: 1, name: 'B001' })
  go('/boats/b2')
  expect(screen.queryByText('B001')).toBeNull()
  expect(screen.queryByText('The log of Gull')).toBeNull()
  release()
  await screen.findByRole('heading', { level: 1, name: 'B002' })
  expect(screen.queryByText('Gull')).toBeNull()
})

it('says that no id was provided, that there is no such record, that it could not be loaded', async () => {
  renderScreens({ at: '/boats/none', tables: fleet() })
  expect(screen.getByText('No ID provided')).toBeTruthy()
  cleanup()
  renderScreens({ at: '/boats/b99', tables: fleet() })
  await screen.findByText('Not found')
  cleanup()
  renderScreens({
    at: '/boats/b1',
    tables: fleet(),
    before: () => {
      throw Object.assign(new Error('The server is away'), { statusCode: 503 })
    },
  })
  await screen.findByText('The server is away')
  expect(screen.getByRole('button', { name: 'Refresh the page' })).toBeTruthy()
})

it('has its tabs as pages, by role', async () => {
  const { go } = renderScreens({
    at: '/boats/b1',
    tables: fleet(),
    widgets: { radio: ({ record }) => <p>Radio of {String(record.name)}</p> },
  })
  const tabs = await screen.findByRole('navigation', { name: 'Parts of the record' })
  expect(
    within(tabs)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/boats/b1', '/boats/b1/crew', '/boats/b1/radio', '/boats/b1/papers'])
  fireEvent.click(within(tabs).getByRole('link', { name: 'Radio' }))
  await screen.findByText('Radio of Gull')
  go('/boats/b1/nonsense')
  await screen.findByText('Not found')
  cleanup()
  renderScreens({ at: '/boats/b1/papers', tables: fleet(), role: 'moderator' })
  await screen.findByText('Not found')
})

it('lists what belongs to the record, with actions on the tab and its rows', async () => {
  const { calls, runAction } = renderScreens({ at: '/boats/b1/crew', tables: fleet() })
  await screen.findByText('Mate')
  expect(calls.find(({ method, resource }) => method === 'list' && resource === 'sailor')?.details).toMatchObject({
    meta: { from: 'boat/b1/crew' },
  })
  expect(screen.getByRole('button', { name: 'Hire' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'More actions: Captain' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'More actions: Mate' }))
  fireEvent.click(screen.getByRole('menuitem', { name: 'Dismiss' }))
  await waitFor(() => expect(runAction).toHaveBeenCalled())
  expect(runAction.mock.calls[0]?.[0]).toMatchObject({ resource: 'boat', action: 'dismiss', id: 'b1', row: { id: 's2' } })
})

it('offers actions by permission and by what the record is', async () => {
  renderScreens({ at: '/boats/b1', tables: fleet() })
  await screen.findByRole('heading', { level: 1, name: 'B001' })
  expect(screen.getByRole('button', { name: 'Sink' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Raise' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Hire' })).toBeNull()
  cleanup()
  renderScreens({ at: '/boats/b2', tables: fleet() })
  await screen.findByRole('heading', { level: 1, name: 'B002' })
  expect(screen.getByRole('button', { name: 'Raise' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Sink' })).toBeNull()
})

it('runs an action that asks nothing at once, tells, and reads the record again', async () => {
  const tables = fleet()
  const { runAction, notify } = renderScreens({
    at: '/boats/b2',
    tables,
    runAction: async () => {
      Object.assign(tables.boat?.[1] ?? {}, { state: 'READY', version: 4 })
    },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Raise' }))
  await screen.findByRole('button', { name: 'Sink' })
  expect(runAction.mock.calls[0]?.[0]).toMatchObject({ resource: 'boat', action: 'raise', id: 'b2' })
  expect(notify).toHaveBeenCalledWith(expect.objectContaining({ type: 'success', message: 'Done' }))
})

it('waits for the typed word before a dangerous action, and keeps a refusal to be read', async () => {
  const { runAction } = renderScreens({
    at: '/boats/b1',
    tables: fleet(),
    runAction: async () => {
      throw Object.assign(new Error('People are aboard'), { statusCode: 409 })
    },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Sink' }))
  const dialog = await screen.findByRole('dialog')
  const confirm = within(dialog).getByRole('button', { name: 'Sink' })
  fireEvent.click(confirm)
  expect(runAction).not.toHaveBeenCalled()
  fireEvent.change(within(dialog).getByRole('textbox'), { target: { value: 'B001' } })
  fireEvent.click(confirm)
  await screen.findByText('People are aboard')
  expect(runAction).toHaveBeenCalledTimes(1)
})

it('checks an action’s form before it is sent and puts the server’s faults on their fields', async () => {
  const { runAction } = renderScreens({
    at: '/boats/b1',
    tables: fleet(),
    runAction: async () => {
      throw Object.assign(new Error('Bad'), { statusCode: 400, errors: { colour: 'That colour is sold out' } })
    },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Paint' }))
  const dialog = await screen.findByRole('dialog')
  const send = within(dialog).getByRole('button', { name: 'Paint' })
  fireEvent.click(send)
  await within(dialog).findByText('This field is required')
  expect(runAction).not.toHaveBeenCalled()
  fireEvent.change(within(dialog).getByLabelText(/Colour/), { target: { value: ' red ' } })
  fireEvent.click(send)
  await within(dialog).findByText('That colour is sold out')
  expect(runAction.mock.calls[0]?.[0]).toMatchObject({ values: { colour: 'red', coats: null } })
})

it('keeps what was typed into an action’s form over a forced sign-out', async () => {
  const first = renderScreens({ at: '/boats/b1', tables: fleet() })
  fireEvent.click(await screen.findByRole('button', { name: 'Paint' }))
  fireEvent.change(within(await screen.findByRole('dialog')).getByLabelText(/Colour/), { target: { value: 'red' } })
  first.go('/login')
  cleanup()
  renderScreens({ at: '/boats/b1', tables: fleet() })
  fireEvent.click(await screen.findByRole('button', { name: 'Paint' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Restore' }))
  expect((within(dialog).getByLabelText(/Colour/) as HTMLInputElement).value).toBe('red')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  await waitFor(() => expect(Object.keys(localStorage)).toEqual([]))
})

it('asks before deleting, then leaves for the list', async () => {
  const { address, tables, notify } = renderScreens({ at: '/boats/b1', tables: fleet() })
  fireEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  fireEvent.click(screen.getByRole('menuitem', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('Delete B001?')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(address()).toBe('/boats'))
  expect(tables.boat).toHaveLength(1)
  expect(notify).toHaveBeenCalledWith(expect.objectContaining({ message: 'Deleted: B001' }))
})

it('asks before what was typed into an action’s form is lost', async () => {
  const { go, address } = renderScreens({ at: '/boats/b1', tables: fleet() })
  fireEvent.click(await screen.findByRole('button', { name: 'Paint' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.change(within(dialog).getByLabelText(/Colour/), { target: { value: 'red' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Stay' }))
  expect((within(dialog).getByLabelText(/Colour/) as HTMLInputElement).value).toBe('red')
  go('/boats')
  expect(address()).toBe('/boats/b1')
  await screen.findByText('Leave without saving?')
})
