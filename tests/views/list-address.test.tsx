import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { chooseFilter, lastList, numbered, rowsShown } from '#tests/support/boat-list.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

it('draws every condition from a pasted address, odd characters included', async () => {
  const { calls } = renderScreens({
    at: `/boats?name_like=${encodeURIComponent('A&B +5%')}&powerW_gte=1000&sort=-name&page=1&limit=50`,
    tables: numbered(30),
  })
  await screen.findByText('A&B +5%')
  expect(rowsShown()).toHaveLength(1)
  expect(lastList(calls)).toMatchObject({
    filters: [
      { field: 'name', operator: 'contains', value: 'A&B +5%' },
      { field: 'powerW', operator: 'gte', value: 1000 },
    ],
    sorters: [{ field: 'name', order: 'desc' }],
    pagination: { currentPage: 1, pageSize: 50 },
  })
  expect(await screen.findByText(/Name: “A&B \+5%”/)).toBeTruthy()
  expect(screen.getByText(/Power: ≥ 1.00 kW/)).toBeTruthy()
})

it('carries 200 ids in an address', async () => {
  const ids = Array.from({ length: 200 }, (_, index) => `s${index + 1}`)
  const { calls } = renderScreens({ at: `/boats?${ids.map((id) => `ownerId=${id}`).join('&')}`, tables: numbered(3) })
  await screen.findByText('B001')
  expect(lastList(calls)).toMatchObject({ filters: [{ field: 'ownerId', operator: 'in', value: ids }] })
})

it('steps through pages, sort and filters with Back and Forward', async () => {
  const { address, go } = renderScreens({ at: '/boats', tables: numbered(60) })
  await screen.findByText('B001')
  fireEvent.click(screen.getByRole('link', { name: 'Page 2' }))
  await screen.findByText('B026')
  fireEvent.click(screen.getByRole('button', { name: 'Name' }))
  await waitFor(() => expect(address()).toBe('/boats?sort=name'))
  chooseFilter('State')
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Sunk' }))
  await waitFor(() => expect(address()).toBe('/boats?state=SUNK&sort=name'))
  go(-1)
  expect(address()).toBe('/boats?sort=name')
  go(-1)
  await screen.findByText('B026')
  expect(address()).toBe('/boats?page=2')
  go(1)
  expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending')
})

it('follows an address that changes under a mounted list', async () => {
  const { go } = renderScreens({ at: '/boats?page=2', tables: numbered(60) })
  await screen.findByText('B026')
  go('/boats?page=3')
  await screen.findByText('B051')
  go('/boats?state=SUNK')
  await screen.findByText('B002')
  expect(screen.queryByText('B001')).toBeNull()
})

it('searches when the hand rests, without a new entry for each letter', async () => {
  const { address, go, calls } = renderScreens({
    at: '/sailor',
    tables: {
      ...numbered(3),
      sailor: [
        { id: 's1', name: 'Ann' },
        { id: 's2', name: 'Bob' },
      ],
    },
  })
  await screen.findByText('Ann')
  go('/boats')
  await screen.findByText('B001')
  const before = calls.length
  const box = screen.getByRole('searchbox', { name: 'Search: Code, Name' })
  for (const text of ['B', 'B0', 'B00', 'B003']) fireEvent.change(box, { target: { value: text } })
  await waitFor(() => expect(address()).toBe('/boats?q=B003'))
  await waitFor(() => expect(screen.queryByText('B001')).toBeNull())
  expect(calls.slice(before).filter(({ method }) => method === 'list')).toHaveLength(1)
  go(-1)
  expect(address()).toBe('/sailor')
})

it('says what it did not understand of an address and leaves it out', async () => {
  renderScreens({ at: '/boats?nonsense=1&state=BLUE', tables: numbered(2) })
  await screen.findByText('B001')
  expect(screen.getByText(/nonsense, state/)).toBeTruthy()
})

it('offers the definition’s views as links', async () => {
  const { address } = renderScreens({ at: '/boats', tables: numbered(4) })
  await screen.findByText('B001')
  fireEvent.click(screen.getByRole('link', { name: 'Sunk' }))
  expect(address()).toBe('/boats?state=SUNK')
  await waitFor(() => expect(screen.queryByText('B001')).toBeNull())
  expect(screen.getByRole('link', { name: 'Sunk' }).getAttribute('aria-current')).toBe('page')
})

it('filters by a range, by words and by emptiness, the fields of the menu included', async () => {
  const { address } = renderScreens({ at: '/boats', tables: numbered(5) })
  await screen.findByText('B001')
  chooseFilter('Power')
  fireEvent.change(await screen.findByLabelText('From'), { target: { value: '3 000' } })
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '6000,5' } })
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }))
  await waitFor(() => expect(address()).toBe('/boats?powerW_gte=3000&powerW_lte=6000.5'))
  await waitFor(() => expect(rowsShown()).toHaveLength(3))
  chooseFilter('Sold')
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Empty' }))
  await waitFor(() => expect(address()).toBe('/boats?powerW_gte=3000&powerW_lte=6000.5&soldOn_null=true'))
})

it('finds the records of a reference filter by a search', async () => {
  const tables = numbered(3)
  tables.sailor = [
    { id: 's1', name: 'Ann' },
    { id: 's2', name: 'Bob' },
  ]
  const { address } = renderScreens({ at: '/boats', tables })
  await screen.findByText('B001')
  chooseFilter('Owner')
  fireEvent.change(await screen.findByPlaceholderText('Search'), { target: { value: 'bob' } })
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Ann' })).toBeNull())
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Bob' }))
  await waitFor(() => expect(address()).toBe('/boats?ownerId=s2'))
  expect(await screen.findByText('Owner: Bob')).toBeTruthy()
})

it('shows the filters in use only; one that is chosen opens at once, and gives way to the next', async () => {
  renderScreens({ at: '/boats?kind=SAIL', tables: numbered(5) })
  await screen.findByText('B001')
  const shown = () =>
    screen
      .getAllByRole('button')
      .flatMap((button) => (button.getAttribute('aria-haspopup') === 'dialog' ? (button.textContent ?? '') : []))
  expect(shown().filter(Boolean)).toEqual(['Kind1'])
  chooseFilter('State')
  expect(await screen.findByRole('checkbox', { name: 'Sunk' })).toBeTruthy()
  fireEvent.keyDown(screen.getByRole('dialog', { name: 'State' }), { key: 'Escape' })
  chooseFilter('Sold')
  await screen.findByRole('dialog', { name: 'Sold' })
  expect(shown().filter(Boolean).toSorted()).toEqual(['Kind1', 'Sold'])
})
