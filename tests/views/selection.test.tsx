import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import { numbered, rowsShown } from '#tests/support/boat-list.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
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
async function ticked(count: number) {
  const tables = numbered(count)
  const screens = renderScreens({ at: '/boats', tables, resources: [raising, sailor] })
  await screen.findByText('B001')
  for (const code of ['B001', 'B002']) tick(code)
  await selected(2)
  return { ...screens, tables }
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
