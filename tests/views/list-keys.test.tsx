import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import { numbered } from '#tests/support/boat-list.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const keyed: AnyResource = { ...boat, actions: { ...boat.actions, mark: { label: ['Mark', 'Отметить'], key: 'm' } } }
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })

/** A list whose first row has the focus by its key. */
async function walked() {
  const screens = renderScreens({ at: '/boats', tables: numbered(3), resources: [keyed, sailor] })
  await screen.findByText('B001')
  await waitFor(() => {
    if (document.activeElement?.textContent !== 'B001') press('j')
    expect(document.activeElement?.textContent).toBe('B001')
  })
  return screens
}
const isTicked = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select B001' }).checked
const leaveRows = () => act(() => screen.getByRole('button', { name: 'View' }).focus())

it('an action key and x take the row that has the focus', async () => {
  const { runAction } = await walked()
  press('m')
  press('x')
  await waitFor(() => expect(runAction.mock.calls.map(([{ id }]) => id)).toEqual(['b1']))
  expect(isTicked()).toBe(true)
})

it('an action key and x do nothing where no row has the focus', async () => {
  const { runAction } = await walked()
  leaveRows()
  press('m')
  press('x')
  await act(async () => {})
  expect(runAction).not.toHaveBeenCalled()
  expect(isTicked()).toBe(false)
})

it('j goes on from the row that had the focus last', async () => {
  await walked()
  leaveRows()
  press('j')
  expect(document.activeElement?.textContent).toBe('B002')
})
