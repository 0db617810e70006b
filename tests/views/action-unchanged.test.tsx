import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Action } from '#schema/resource.ts'
import { beginAction, noDialog, openDialog } from '#tests/support/begin-action.ts'
import { oneBoat } from '#tests/support/boat-form.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens, type ScreensOptions } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

/** A boat with one action, by its name in small letters. */
const page = (action: Action, more: Partial<ScreensOptions>) =>
  renderScreens({
    at: '/boats/b1',
    tables: oneBoat(),
    resources: [{ ...boat, actions: { [action.label[0].toLowerCase()]: action } }, sailor],
    ...more,
  })

it('sends nothing of a form whose loaded values stand as they were, and says so', async () => {
  const tune = {
    label: ['Tune', 'Настроить'],
    from: 'boat/{id}/tuning',
    form: { sails: { type: 'integer', label: ['Sails', 'Паруса'] }, reason: { type: 'text', label: ['Reason', 'Причина'] } },
  } as const
  const runAction = vi.fn(async () => ({}))
  page(tune, { runAction, answer: () => ({ sails: 2 }) })
  await beginAction('Tune')
  const sails = await screen.findByLabelText(/^Sails/)
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: 'Wind' } })
  fireEvent.click((await openDialog()).getByRole('button', { name: 'Tune' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Nothing is changed, so nothing is sent.')
  expect(runAction).not.toHaveBeenCalled()
  fireEvent.change(sails, { target: { value: '3' } })
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  fireEvent.click((await openDialog()).getByRole('button', { name: 'Tune' }))
  await waitFor(() => expect(runAction).toHaveBeenCalled())
})

it('says that nothing is changed where another person has saved the same meanwhile', async () => {
  const tune = {
    label: ['Tune', 'Настроить'],
    from: 'boat/{id}/tuning',
    form: { sails: { type: 'integer', label: ['Sails', 'Паруса'] } },
  } as const
  const runAction = vi.fn(async () => {
    throw Object.assign(new Error('Too late'), { statusCode: 409, current: { sails: 3 } })
  })
  const { notify } = page(tune, { runAction, answer: () => ({ sails: 2 }) })
  await beginAction('Tune')
  fireEvent.change(await screen.findByLabelText(/^Sails/), { target: { value: '3' } })
  fireEvent.click((await openDialog()).getByRole('button', { name: 'Tune' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Take the choice' }))
  await noDialog()
  expect(runAction).toHaveBeenCalledTimes(1)
  expect(notify).toHaveBeenCalledWith(expect.objectContaining({ message: 'Nothing is changed, so nothing is sent.' }))
})

it('says at the field that its choice changes nothing, and sends the one that does', async () => {
  const rename = {
    label: ['Rename', 'Переименовать'],
    form: { called: { type: 'text', label: ['New name', 'Новое название'] } },
    start: { called: '$record.name' },
    changes: { called: 'name' },
  } as const
  const runAction = vi.fn(async () => ({}))
  page(rename, { runAction })
  await beginAction('Rename')
  const called = await screen.findByLabelText<HTMLInputElement>(/^New name/)
  expect(called.value).toBe('Gull')
  fireEvent.click((await openDialog()).getByRole('button', { name: 'Rename' }))
  await waitFor(() => expect(called.getAttribute('aria-invalid')).toBe('true'))
  expect(called.closest('.ui-field')?.textContent).toContain('This is so already: choose another value')
  expect(runAction).not.toHaveBeenCalled()
  fireEvent.change(called, { target: { value: 'Tern' } })
  fireEvent.click((await openDialog()).getByRole('button', { name: 'Rename' }))
  await waitFor(() => expect(runAction).toHaveBeenCalled())
})
