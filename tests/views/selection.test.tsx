import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import { numbered, rowsShown } from '#tests/support/boat-list.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens, type ScreensOptions } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const raising: AnyResource = { ...boat, list: { ...boat.list, bulk: ['raise'] } }
const tick = (code: string) => fireEvent.click(screen.getByRole('checkbox', { name: `Select ${code}` }))
const isTicked = (code: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${code}` }).checked
const selected = (count: number) => screen.findByRole('region', { name: `Selected: ${count}` })
const noneSelected = () => waitFor(() => expect(screen.queryByRole('region', { name: /^Selected/ })).toBeNull())
const raise = () => fireEvent.click(screen.getByRole('button', { name: 'Raise' }))

/** A list of boats, the even ones sunk, two of which are ticked. */
async function ticked(count: number, given: Partial<ScreensOptions> = {}) {
  const tables = numbered(count)
  const screens = renderScreens({ at: '/boats', tables, resources: [raising, sailor], ...given })
  await screen.findByText('B001')
  for (const code of ['B001', 'B002']) tick(code)
  await selected(2)
  return { ...screens, tables }
}

/** An answer that comes when it is let go. */
function held() {
  let letGo = () => {}
  const answer = new Promise<void>((resolve) => {
    letGo = resolve
  })
  return { answer, letGo }
}

it('ends with the conditions that it was made under', async () => {
  const { go } = await ticked(3)
  go('/boats?state=SUNK')
  await noneSelected()
  go('/boats')
  await waitFor(() => expect(isTicked('B001')).toBe(false))
})

it('stays when page and order change', async () => {
  const { go } = await ticked(30)
  go('/boats?page=2')
  await screen.findByText('B026')
  go('/boats?sort=name')
  await selected(2)
})

it('knows the rows as they are now', async () => {
  const { client, tables, runAction } = await ticked(3)
  for (const row of tables.boat ?? []) row.state = row.id === 'b1' ? 'SUNK' : 'READY'
  await act(() => client.refetchQueries({ type: 'active' }))
  await waitFor(() => expect(rowsShown()[0]?.textContent).toContain('Sunk'))
  raise()
  await screen.findByText('Done: 1, failed: 0, skipped: 1')
  expect(runAction.mock.calls.map(([{ id }]) => id)).toEqual(['b1'])
})

it('has no row that was deleted', async () => {
  await ticked(3)
  fireEvent.click(screen.getByRole('button', { name: 'More actions: B001' }))
  fireEvent.click(screen.getByRole('menuitem', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.click(await within(dialog).findByRole('button', { name: 'Delete' }))
  await selected(1)
  expect(isTicked('B002')).toBe(true)
})

it('keeps what is ticked while an action runs, and is not cleared meanwhile', async () => {
  const { answer, letGo } = held()
  await ticked(4, { runAction: () => answer })
  raise()
  await screen.findByText('Done: 1 of 2')
  tick('B004')
  const clear = screen.getByRole<HTMLButtonElement>('button', { name: 'Clear selection' })
  expect(clear.disabled).toBe(true)
  expect(screen.getByText('Done: 1 of 2')).toBeTruthy()
  letGo()
  await screen.findByText('Done: 1, failed: 0, skipped: 1')
  await selected(1)
  expect([isTicked('B002'), isTicked('B004')]).toEqual([false, true])
})

it('stays empty when it is cleared while all rows are being selected', async () => {
  const { answer, letGo } = held()
  const pages: number[] = []
  await ticked(250, {
    before: ({ details: { pagination } }) => {
      const { currentPage = 0, pageSize = 0 } = Object(pagination)
      if (pageSize < 200) return
      pages.push(currentPage)
      return currentPage === 2 ? answer : undefined
    },
  })
  fireEvent.click(screen.getByRole('button', { name: 'Select all 250' }))
  await selected(200)
  fireEvent.click(screen.getByRole('button', { name: 'Clear selection' }))
  await noneSelected()
  await act(async () => letGo())
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(screen.queryByRole('region', { name: /^Selected/ })).toBeNull()
  expect(pages).toEqual([1, 2])
})
