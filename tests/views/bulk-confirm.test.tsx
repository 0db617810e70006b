import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import type { Language } from '#schema/words.ts'
import { numbered } from '#tests/support/boat-list.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const confirm = { body: ['It is lost.', 'Она будет потеряна.'], typeToConfirm: 'code' } as const
const asking: AnyResource = {
  ...boat,
  list: { ...boat.list, bulk: ['sink', 'paint'] },
  actions: {
    ...boat.actions,
    sink: { label: ['Sink', 'Затопить'], confirm },
    paint: { label: ['Paint', 'Покрасить'], confirm, form: { colour: { type: 'text', label: ['Colour', 'Цвет'] } } },
  },
}

/** The question before an action on the first three of four boats. */
async function asked(action: string, language: Language = 'en', definition = asking) {
  const { runAction, notify } = renderScreens({ at: '/boats', tables: numbered(4), resources: [definition, sailor], language })
  await screen.findByText('B001')
  for (const code of ['B001', 'B002', 'B003']) fireEvent.click(screen.getByRole('checkbox', { name: new RegExp(code) }))
  fireEvent.click(await screen.findByRole('button', { name: action }))
  const dialog = within(await screen.findByRole('dialog'))
  const run = await dialog.findByRole<HTMLButtonElement>('button', { name: action })
  return { runAction, notify, dialog, run }
}

it.each(['Sink', 'Paint'])('asks for the number of records before %s runs on many, and runs it then', async (action) => {
  const { runAction, notify, dialog, run } = await asked(action)
  const typed = dialog.getByLabelText('To confirm, type the number of records: 3')
  expect(run.disabled).toBe(true)
  for (const wrong of ['2', 'B001']) {
    fireEvent.change(typed, { target: { value: wrong } })
    expect(run.disabled, wrong).toBe(true)
  }
  fireEvent.change(typed, { target: { value: '3' } })
  expect(run.disabled).toBe(false)
  fireEvent.click(run)
  const message = `${action}: done for 3 records`
  await waitFor(() => expect(notify).toHaveBeenCalledWith(expect.objectContaining({ type: 'success', message })))
  expect(runAction).toHaveBeenCalledTimes(3)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('asks for the number in Russian, too', async () => {
  const { dialog } = await asked('Затопить', 'ru')
  expect(dialog.getByLabelText('Чтобы подтвердить, введите число записей: 3')).toBeTruthy()
})

it.each(['Sink', 'Paint'])('asks for the number of those that %s can be done with', async (action) => {
  const when = { field: 'code', op: 'ne', value: 'B002' } as const
  const { sink, paint } = asking.actions ?? {}
  if (!sink || !paint) throw new Error('no such action')
  const actions = { ...asking.actions, sink: { ...sink, when }, paint: { ...paint, when } }
  const { dialog, run } = await asked(action, 'en', { ...asking, actions })
  expect(dialog.getByText('Can be done: 2 of 3')).toBeTruthy()
  const typed = dialog.getByLabelText('To confirm, type the number of records: 2')
  fireEvent.change(typed, { target: { value: '3' } })
  expect(run.disabled).toBe(true)
  fireEvent.change(typed, { target: { value: '2' } })
  expect(run.disabled).toBe(false)
})
