import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { heldUpdate, oneBoat, save, sent, type } from '#tests/support/boat-form.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

it('saves on Ctrl+S of a Russian keyboard, and not under a dialog', async () => {
  const { address, calls } = renderScreens({ at: '/boats/b1/edit', tables: oneBoat() })
  await type(/^Name/, 'Tern')
  fireEvent.click(screen.getByRole('link', { name: 'Cancel' }))
  const dialog = await screen.findByRole('dialog')
  const press = () => fireEvent.keyDown(document.body, { key: 'ы', code: 'KeyS', ctrlKey: true })
  expect(press()).toBe(false)
  expect(sent(calls, 'update')).toEqual([])
  fireEvent.click(within(dialog).getByRole('button', { name: 'Stay' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  press()
  await waitFor(() => expect(address()).toBe('/boats/b1'))
})

it('takes no input while it is saved, and gives the focus to the refusal', async () => {
  let refuse: () => void = () => undefined
  const { address } = renderScreens({
    at: '/boats/b1/edit',
    tables: oneBoat(),
    before: ({ method }) =>
      method === 'update'
        ? new Promise<void>((_resolve, reject) => {
            refuse = () => reject(Object.assign(new Error('Bad'), { statusCode: 400, errors: { name: 'Name is taken' } }))
          })
        : undefined,
  })
  await type(/^Name/, 'Tern')
  const name = screen.getByLabelText<HTMLInputElement>(/^Name/)
  name.focus()
  save()
  await waitFor(() => expect(name.disabled).toBe(true))
  await act(async () => refuse())
  await screen.findAllByText('Name is taken')
  expect(name.disabled).toBe(false)
  await waitFor(() => expect(document.activeElement).toBe(name))
  expect(address()).toBe('/boats/b1/edit')
})

it('shows a failure of no field as a title without a list', async () => {
  renderScreens({
    at: '/boats/b1/edit',
    tables: oneBoat(),
    before: ({ method }) =>
      method === 'update' ? Promise.reject(Object.assign(new Error('No connection'), { statusCode: 503 })) : undefined,
  })
  await type(/^Name/, 'Tern')
  save()
  const alert = await screen.findByRole('alert')
  expect(alert.textContent?.trim()).toBe('No connection')
  expect(within(alert).queryByRole('list')).toBeNull()
})

it('leads nowhere when the answer comes after the page was left', async () => {
  const { before, release } = heldUpdate()
  const { address, go, notify } = renderScreens({
    at: '/boats/b1/edit',
    tables: oneBoat(),
    before,
  })
  await type(/^Name/, 'Tern')
  save()
  go('/sailor')
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  await waitFor(() => expect(address()).toBe('/sailor'))
  await act(async () => release())
  await waitFor(() => expect(notify).toHaveBeenCalled())
  expect(address()).toBe('/sailor')
})
