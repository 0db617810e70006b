import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { defineResource } from '#schema/resource.ts'
import { save, sent, type } from '#tests/support/boat-form.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const portal = defineResource({
  name: 'boat',
  route: 'boats',
  label: { one: ['Portal', 'Портал'], many: ['Portals', 'Порталы'] },
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    key: { type: 'secret', label: ['Key', 'Ключ'] },
    code: { type: 'secret', label: ['Code', 'Код'], required: { field: 'name', op: 'eq', value: 'Tern' } },
  },
  access: { list: ['admin'], edit: ['admin'] },
})
const opened = (isSet: boolean) =>
  renderScreens({
    at: '/boats/b1/edit',
    resources: [portal],
    tables: { boat: [{ id: 'b1', name: 'Gull', keyIsSet: isSet, codeIsSet: isSet, version: 1 }] },
  })
const removeKey = async () =>
  fireEvent.click((await screen.findAllByRole('button', { name: 'Remove the value' }))[0] as Element)

it('says that a secret is stored, and keeps it when nothing is typed', async () => {
  const { calls } = opened(true)
  await type(/^Name/, 'Tern')
  expect(await screen.findAllByText('A value is stored. Leave this empty to keep it')).toHaveLength(2)
  await type(/^Key/, 'new')
  await screen.findByText('The stored value will be replaced')
  await type(/^Key/, '')
  save()
  await waitFor(() => expect(sent(calls, 'update')).toEqual([{ name: 'Tern', version: 1 }]))
})

it('removes a stored secret when told to', async () => {
  const { calls } = opened(true)
  await removeKey()
  await screen.findByText('The stored value will be removed')
  fireEvent.click(await screen.findByRole('button', { name: 'Keep the value' }))
  await removeKey()
  save()
  await waitFor(() => expect(sent(calls, 'update')).toEqual([{ key: null, version: 1 }]))
})

it('says nothing of a secret that is not there', async () => {
  opened(false)
  await type(/^Name/, 'Tern')
  expect(screen.queryByText(/A value is stored/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Remove the value' })).toBeNull()
})
