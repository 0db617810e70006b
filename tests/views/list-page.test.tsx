import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { registry } from '#fields/registry.ts'
import { lastList, numbered, rowsShown } from '#tests/support/boat-list.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

it('shows a page of rows with values in words and units, the first cell a real link', async () => {
  renderScreens({ at: '/boats', tables: numbered(30) })
  await screen.findByText('B001')
  await waitFor(() => expect(rowsShown()).toHaveLength(25))
  expect(screen.getByRole('link', { name: 'B001' }).getAttribute('href')).toBe('/boats/b1')
  const [first] = rowsShown()
  expect(first && within(first).getByText('1.50 kW')).toBeTruthy()
  expect(first && within(first).getByRole('link', { name: 'Ann' }).getAttribute('href')).toBe('/sailor/s1')
})

it('speaks Russian', async () => {
  renderScreens({ at: '/boats', tables: numbered(2), language: 'ru' })
  await screen.findByText('1,50 кВт')
  expect(screen.getByRole('heading', { name: 'Лодки' })).toBeTruthy()
  expect(screen.getAllByText('Готова').length).toBeGreaterThan(0)
})

it('keeps a hidden field out of columns, filters and chooser', async () => {
  renderScreens({ at: '/boats?columns=code,secretNote', tables: numbered(2), role: 'moderator' })
  await screen.findByText('B001')
  expect(screen.queryByText('psst')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'View' }))
  await screen.findByRole('checkbox', { name: 'Kind' })
  expect(screen.queryByRole('checkbox', { name: 'Secret note' })).toBeNull()
  expect(screen.queryByRole('checkbox', { name: 'Log' })).toBeNull()
})

it('remembers chosen columns on the device and puts them into the address', async () => {
  const first = renderScreens({ at: '/boats', tables: numbered(2) })
  await screen.findByText('B001')
  fireEvent.click(screen.getByRole('button', { name: 'View' }))
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Kind' }))
  await waitFor(() => expect(first.address()).toContain('columns=code%2Cname%2Cstate'))
  cleanup()
  renderScreens({ at: '/boats', tables: numbered(2) })
  await screen.findByText('B001')
  expect(screen.getByRole('columnheader', { name: 'Kind' })).toBeTruthy()
})

it('tells an empty list from one where nothing matches, and leads out of it', async () => {
  const { address } = renderScreens({ at: '/boats?state=SUNK', tables: { boat: [] } })
  await screen.findByText('Nothing matches')
  const [clear] = screen.getAllByRole('button', { name: 'Clear filters' })
  if (clear) fireEvent.click(clear)
  await screen.findByText('Nothing here yet')
  expect(screen.queryByText('Rows per page')).toBeNull()
  expect(address()).toBe('/boats')
})

it('announces each search that finds nothing', async () => {
  renderScreens({ at: '/boats', tables: numbered(2) })
  await screen.findByText('B001')
  const announced = () => document.querySelector('[data-ui-live=polite]')?.textContent
  const search = (text: string) => fireEvent.change(screen.getByRole('searchbox'), { target: { value: text } })
  search('zzzz')
  await screen.findByText('Nothing matches')
  await waitFor(() => expect(announced()).toBe('No record fits the search and the filters.'))
  document.querySelector('[data-ui-live=polite]')?.replaceChildren()
  search('zzzzz')
  await waitFor(() => expect(announced()).toBe('No record fits the search and the filters.'))
})

it('shows what went wrong and tries again', async () => {
  let isDown = true
  renderScreens({
    at: '/boats',
    tables: numbered(1),
    before: () => {
      if (isDown) throw Object.assign(new Error('The server is away'), { statusCode: 503 })
    },
  })
  await screen.findByText('The server is away')
  isDown = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('B001')
})

it('keeps the rows that are there while the server is away, and says so', async () => {
  let isDown = false
  const { client } = renderScreens({
    at: '/boats',
    tables: numbered(1),
    before: () => {
      if (isDown) throw Object.assign(new Error('The server is away'), { statusCode: 503 })
    },
  })
  await screen.findByText('B001')
  isDown = true
  await act(() => client.refetchQueries({ type: 'active' }))
  await screen.findByText('The data could not be loaded')
  expect(screen.getByText('B001')).toBeTruthy()
  isDown = false
  await act(() => client.refetchQueries({ type: 'active' }))
  await waitFor(() => expect(screen.queryByText('The data could not be loaded')).toBeNull())
})

it('shows no list, and asks for none, where the role does not allow it', () => {
  const { calls } = renderScreens({ at: '/boats', tables: numbered(1), role: 'client' })
  expect(screen.getByRole('alert').textContent).toContain('No access')
  expect(calls).toEqual([])
})

it('offers create, edit and delete by permission', async () => {
  renderScreens({ at: '/boats', tables: numbered(1), role: 'service_engineer' })
  await screen.findByText('B001')
  expect(screen.queryByRole('link', { name: 'Create' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'More actions: B001' })).toBeNull()
  cleanup()
  renderScreens({ at: '/boats', tables: numbered(1), role: 'moderator' })
  fireEvent.click(await screen.findByRole('button', { name: 'More actions: B001' }))
  const names = screen.getAllByRole('menuitem').map((item) => item.textContent)
  expect(names).toEqual(['Edit', 'Sink', 'Paint'])
})

it('asks for the next page before it is wanted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true })
  const { calls } = renderScreens({ at: '/boats', tables: numbered(60) })
  await screen.findByText('B001')
  await act(() => vi.advanceTimersByTimeAsync(300))
  await waitFor(() => expect(lastList(calls)).toMatchObject({ pagination: { currentPage: 2 } }))
  const asked = calls.length
  fireEvent.click(screen.getByRole('link', { name: 'Page 2' }))
  expect(screen.getByText('B026')).toBeTruthy()
  expect(
    calls.slice(asked).filter(({ details }) => (details.pagination as { currentPage?: number })?.currentPage === 2),
  ).toEqual([])
  vi.useRealTimers()
})

it('runs an action on selected rows and says how each went', async () => {
  const { runAction, notify } = renderScreens({
    at: '/boats',
    tables: numbered(3),
    runAction: async ({ id }) => {
      if (id === 'b2') throw Object.assign(new Error('The paint is out'), { statusCode: 409 })
    },
  })
  await screen.findByText('B001')
  for (const name of ['Select B001', 'Select B002']) fireEvent.click(screen.getByRole('checkbox', { name }))
  fireEvent.click(await screen.findByRole('button', { name: 'Paint' }))
  fireEvent.change(await screen.findByLabelText(/Colour/), { target: { value: 'red' } })
  const dialog = await screen.findByRole('dialog')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Paint' }))
  await screen.findByText('Done: 1, failed: 1, skipped: 0')
  expect(screen.getByText('The paint is out')).toBeTruthy()
  expect(runAction.mock.calls.map(([request]) => [request.id, request.quiet])).toEqual([
    ['b1', true],
    ['b2', true],
  ])
  expect(notify).not.toHaveBeenCalled()
})

it('draws no row again when the search changes, until the rows that match are there', async () => {
  const held: (() => void)[] = []
  const { go } = renderScreens({
    at: '/boats?sort=-code&columns=code,name',
    tables: numbered(3),
    before: ({ method, details }) =>
      method === 'list' && JSON.stringify(details).includes('Boat 2')
        ? new Promise<void>((resolve) => held.push(resolve))
        : undefined,
  })
  await screen.findByText('B001')
  const drawn = vi.spyOn(registry.text, 'Display')
  go('/boats?sort=-code&columns=code,name&q=Boat 2')
  await waitFor(() => expect(held).not.toEqual([]))
  expect(rowsShown()).toHaveLength(3)
  expect(drawn).not.toHaveBeenCalled()
  await act(async () => held[0]?.())
  await waitFor(() => expect(rowsShown()).toHaveLength(1))
  expect(drawn).toHaveBeenCalled()
})
