import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import { numbered } from '#tests/support/boat-list.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens, type ScreensOptions } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'
import { tellFocusLost } from '#ui/overlay/focus-lost.ts'
import { focusPlaceOf } from '#ui/overlay/focus-place.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const keyed: AnyResource = {
  ...boat,
  fields: {
    ...boat.fields,
    mine: { type: 'boolean', label: ['Mine', 'Моя'], readOnly: true, help: ['Boats of others', 'Чужие лодки'] },
  },
  actions: {
    ...boat.actions,
    mark: { label: ['Mark', 'Отметить'], key: 'm' },
    raise: { label: ['Raise', 'Поднять'], key: 'r', when: { field: 'state', op: 'eq', value: 'SUNK' } },
    paint: { label: ['Paint', 'Покрасить'], key: 'p', permit: 'mine' },
  },
}
const ofMany: AnyResource = { ...keyed, list: { ...keyed.list, bulk: ['mark'] } }
const tick = (code: string) => fireEvent.click(screen.getByRole('checkbox', { name: `Select ${code}` }))
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })

/** A list whose first row has the focus by its key. */
async function walked(given: Partial<ScreensOptions> = {}) {
  const screens = renderScreens({ at: '/boats', tables: numbered(3), resources: [keyed, sailor], ...given })
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

it('a row takes the focus over from a control of its own that goes, and from none elsewhere on the page', async () => {
  await walked()
  const link = document.activeElement
  const loseFocusAt = (element: Element | null | undefined) => {
    if (!element) throw new Error('nothing to lose the focus at')
    act(() => (document.activeElement as HTMLElement).blur())
    return tellFocusLost(focusPlaceOf(element))
  }
  expect(loseFocusAt(screen.getByRole('button', { name: 'View' }))).toBe(false)
  expect(document.activeElement).toBe(document.body)
  act(() => (link as HTMLElement).focus())
  expect(loseFocusAt(link?.closest('tr')?.querySelector('input'))).toBe(true)
  expect(document.activeElement).toBe(link)
})

it('the next row has the focus when an action takes the focused one out of the list', async () => {
  const tables = numbered(3)
  const runAction = async () => {
    tables.boat?.shift()
    return {}
  }
  await walked({ tables, runAction })
  press('m')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('B002'))
})

it('a key whose action the state of the row refuses says what it needs', async () => {
  const { notify, runAction } = await walked()
  press('r')
  await waitFor(() => expect(notify).toHaveBeenCalledOnce())
  expect(notify.mock.calls[0]?.[0]).toMatchObject({
    message: '“Raise” is not possible here',
    description: 'It is possible in: Sunk',
  })
  expect(runAction).not.toHaveBeenCalled()
})

it('a key whose action the viewer may not run on the row says why', async () => {
  const tables = numbered(1)
  for (const row of tables.boat ?? []) row.mine = false
  const { notify } = await walked({ tables, language: 'ru' })
  press('p')
  await waitFor(() => expect(notify).toHaveBeenCalledOnce())
  expect(notify.mock.calls[0]?.[0]).toMatchObject({ message: 'Здесь нельзя: «Покрасить»', description: 'Чужие лодки' })
})

it('an action key without a row says how to choose one; other letters say nothing', async () => {
  const { notify } = await walked()
  leaveRows()
  press('q')
  press('m')
  await waitFor(() => expect(notify).toHaveBeenCalledOnce())
  expect(notify.mock.calls[0]?.[0]).toMatchObject({
    message: 'No row is selected',
    description: 'The key j goes to the next row.',
  })
})

it('with selected rows an action key takes them, whichever row has the focus, as the bar does', async () => {
  const { runAction } = await walked({ resources: [ofMany, sailor] })
  press('x')
  tick('B003')
  press('j')
  await screen.findByRole('region', { name: 'Selected: 2' })
  press('m')
  await waitFor(() => expect(runAction.mock.calls.map(([{ id }]) => id)).toEqual(['b1', 'b3']))
})

it('with selected rows the key of an action for one record does nothing, and says why', async () => {
  const { notify, runAction } = await walked({
    resources: [{ ...ofMany, actions: { ...ofMany.actions, raise: { label: ['Raise', 'Поднять'], key: 'r' } } }, sailor],
  })
  press('x')
  await screen.findByRole('region', { name: 'Selected: 1' })
  press('r')
  await waitFor(() => expect(notify).toHaveBeenCalledOnce())
  expect(notify.mock.calls[0]?.[0]).toMatchObject({
    message: '“Raise” is for one record',
    description: 'Clear the selection to use the key on a row.',
  })
  expect(runAction).not.toHaveBeenCalled()
})
