import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const row = (id: string, kind: string) => ({ id, code: id, name: id, kind, state: 'READY', version: 1 })
const count = (kind: string, number: number) => ({ id: kind, kind, count: number })
const tables = () => ({
  boat: [row('b1', 'SAIL'), row('b2', 'SAIL'), row('b3', 'MOTOR')],
  'boat/kinds': [count('SAIL', 2), count('MOTOR', 1)],
})
const kinds = async () => within(await screen.findByRole('group', { name: 'Kind' }))

it('counts the values of a field over the list, and filters by those that are pressed', async () => {
  const { address, calls } = renderScreens({ at: '/boats?state=READY', tables: tables() })
  fireEvent.click((await kinds()).getByRole('button', { name: 'Sail 2' }))
  expect(address()).toBe('/boats?state=READY&kind=SAIL')
  const sail = (await kinds()).getByRole('button', { name: 'Sail 2' })
  await waitFor(() => expect(sail.getAttribute('aria-pressed')).toBe('true'))
  fireEvent.click((await kinds()).getByRole('button', { name: 'Motor 1' }))
  expect(address()).toBe('/boats?state=READY&kind=SAIL&kind=MOTOR')
  fireEvent.click((await kinds()).getByRole('button', { name: 'Sail 2' }))
  expect(address()).toBe('/boats?state=READY&kind=MOTOR')
  const asked = calls.find(({ method }) => method === 'custom')
  expect(asked).toMatchObject({ resource: 'boat/kinds', details: { query: { state: ['READY'] } } })
})

it('keeps the value that is filtered by, even when no row has it any more', async () => {
  renderScreens({ at: '/boats?kind=MOTOR', tables: { ...tables(), 'boat/kinds': [] } })
  expect((await kinds()).getByRole('button', { name: 'Motor 0' }).getAttribute('aria-pressed')).toBe('true')
})

it('counts nothing below a record whose list is read from a path of its own: the counts would be those of another list', async () => {
  const own = { sailor: [{ id: 's1', name: 'Ann', version: 1 }], 'sailor/s1/past': [row('b1', 'SAIL')] }
  const { calls } = renderScreens({ at: '/sailor/s1/past', tables: { ...tables(), ...own } })
  await screen.findByRole('link', { name: 'b1' })
  await import('#views/list/facet-chips.tsx')
  await waitFor(() => expect(document.querySelector('.view-facet:empty')).toBeNull())
  expect(screen.queryByRole('group', { name: 'Kind' })).toBeNull()
  expect(calls.filter(({ method }) => method === 'custom')).toEqual([])
})
