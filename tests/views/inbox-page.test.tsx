import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import { numbered } from '#tests/support/boat-list.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const worked: AnyResource = {
  ...boat,
  list: {
    ...boat.list,
    inbox: {
      tabs: { all: { label: ['All', 'Все'], filters: {}, text: ['Boats stand here.', 'Здесь лодки.'] } },
      start: 'all',
      groups: ['kind'],
    },
  },
  actions: { mark: { label: ['Mark', 'Отметить'], key: 'm' } },
}

async function openInbox(at: string, count: number) {
  const tables = numbered(count)
  const screens = renderScreens({ at, tables, resources: [worked, sailor] })
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toBeTruthy())
  return { ...screens, tables }
}

const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })
const rowLink = (code: string) => screen.findByRole('link', { name: new RegExp(code) })
const shownRecord = (code: string) => screen.findByRole('heading', { level: 2, name: new RegExp(code) })

it('runs a key on the record beside the rows while no row has the focus', async () => {
  const { runAction } = await openInbox('/inbox', 5)
  await rowLink('B001')
  press('j')
  await waitFor(() => expect(document.activeElement?.textContent).toContain('B001'))
  fireEvent.click(await rowLink('B005'))
  await shownRecord('B005')
  act(() => screen.getByRole('region', { name: 'Record' }).focus())
  press('m')
  await waitFor(() => expect(runAction).toHaveBeenCalled())
  expect(runAction.mock.calls.map(([{ id }]) => id)).toEqual(['b5'])
})

it('keeps the record that it has opened by itself while a more urgent one arrives', async () => {
  const { client, tables, address } = await openInbox('/inbox', 3)
  await shownRecord('B001')
  const [first] = tables.boat ?? []
  if (first) tables.boat?.unshift({ ...first, id: 'b0', code: 'B000' })
  await act(() => client.refetchQueries({ type: 'active' }))
  await rowLink('B000')
  expect(address()).toBe('/inbox')
  expect(await shownRecord('B001')).toBeTruthy()
  expect(screen.queryByRole('heading', { level: 2, name: /B000/ })).toBeNull()
})

it('opens the next record by itself when the one that it has opened is no longer in the list', async () => {
  const { client, tables } = await openInbox('/inbox', 3)
  await shownRecord('B001')
  tables.boat?.shift()
  await act(() => client.refetchQueries({ type: 'active' }))
  expect(await shownRecord('B002')).toBeTruthy()
})

it('says of a page behind the last one that there is none, and leads to the first', async () => {
  await openInbox('/inbox?page=2', 3)
  expect(await screen.findByText('There is no such page')).toBeTruthy()
  expect(screen.queryByText('Nothing to do here')).toBeNull()
  fireEvent.click(screen.getByRole('link', { name: 'To the first page' }))
  await rowLink('B001')
})

it.each([
  [5, /5 in total/],
  [200, /\d+\+ on this page, and others may have more/],
])('counts the rows of a group as what they are, with %i rows', async (count, said) => {
  await openInbox('/inbox', count)
  await rowLink('B001')
  const [heading] = screen
    .getAllByRole('heading', { level: 2 })
    .filter(({ textContent }) => /in total|on this page/.test(textContent))
  expect(heading?.textContent).toMatch(said)
})

it('says that there is no work where there is none', async () => {
  await openInbox('/inbox', 0)
  expect(await screen.findByText('Nothing to do here')).toBeTruthy()
  expect(screen.getByText('Boats stand here.')).toBeTruthy()
})

it('goes on to the next row when a key takes the selected one out of the list, and keys work on it', async () => {
  const tables = numbered(4)
  const runAction = vi.fn(async ({ id }: { id?: string | undefined }) => {
    tables.boat = (tables.boat ?? []).filter((row) => row.id !== id)
    return {}
  })
  const { address } = renderScreens({ at: '/inbox', tables, resources: [worked, sailor], runAction })
  await rowLink('B001')
  press('j')
  press('j')
  await waitFor(() => expect(document.activeElement?.textContent).toContain('B002'))
  press('m')
  await waitFor(() => expect(screen.queryByRole('link', { name: /B002/ })).toBeNull())
  expect(await shownRecord('B003')).toBeTruthy()
  await waitFor(() => expect(document.activeElement?.textContent).toContain('B003'))
  await waitFor(() => expect(address()).toBe('/inbox?id=b3'))
  press('m')
  await waitFor(() => expect(runAction.mock.calls.map(([{ id }]) => id)).toEqual(['b2', 'b3']))
  await waitFor(() => expect(document.activeElement?.textContent).toContain('B004'))
  press('m')
  await waitFor(() => expect(document.activeElement?.textContent).toContain('B001'))
  press('m')
  expect(await screen.findByText('Nothing to do here')).toBeTruthy()
})

it('shows the record of an address that is not in the list', async () => {
  await openInbox('/inbox?id=b9', 3)
  await rowLink('B001')
  expect(await screen.findByText('Not found')).toBeTruthy()
})

const tickOf = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

it('ticks the rows of a group as one, tells when some of them are ticked, and leaves those of other groups', async () => {
  const tables = numbered(4)
  for (const row of tables.boat ?? []) row.kind = row.id === 'b4' ? 'MOTOR' : 'SAIL'
  const { runAction } = renderScreens({
    at: '/inbox',
    tables,
    resources: [{ ...worked, list: { ...worked.list, bulk: ['mark'] } }, sailor],
  })
  await rowLink('B001')
  const group = tickOf('Select the rows of Sail')
  fireEvent.click(tickOf('Select B004'))
  fireEvent.click(group)
  await screen.findByRole('region', { name: 'Selected: 4' })
  fireEvent.click(tickOf('Select B004'))
  fireEvent.click(tickOf('Select B002'))
  expect([group.checked, group.indeterminate]).toEqual([false, true])
  fireEvent.click(group)
  expect([group.checked, group.indeterminate]).toEqual([true, false])
  await screen.findByRole('region', { name: 'Selected: 3' })
  press('m')
  await waitFor(() => expect(runAction.mock.calls.map(([{ id }]) => id).toSorted()).toEqual(['b1', 'b2', 'b3']))
})
