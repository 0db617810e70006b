import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { defineResource } from '#schema/resource.ts'
import { input, save, sent, type } from '#tests/support/boat-form.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const staff = ['admin', 'moderator'] as const

const boat = defineResource({
  name: 'boat',
  route: 'boats',
  label: { one: ['Boat', 'Лодка'], many: ['Boats', 'Лодки'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    port: { type: 'text', label: ['Port', 'Порт'] },
    mateId: { type: 'reference', label: ['Mate', 'Помощник'], to: 'sailor', options: 'sailor?port={port}' },
    fee: { type: 'integer', label: ['Fee', 'Плата'], access: { write: ['admin'] } },
    crew: {
      type: 'group',
      label: ['Crew', 'Команда'],
      readOnly: true,
      fields: { size: { type: 'integer', label: ['Size', 'Число'] } },
    },
    state: {
      type: 'status',
      label: ['State', 'Состояние'],
      default: 'READY',
      states: {
        READY: { tone: 'good', label: ['Ready', 'Готова'], next: ['SUNK'] },
        SUNK: { tone: 'bad', label: ['Sunk', 'Затонула'] },
      },
    },
  },
  sections: { identity: ['name', 'port', 'mateId', 'fee', 'state', 'crew'] },
  tabs: {
    port: { label: ['In port', 'В порту'], resource: 'sailor', match: { port: '$record.port' } },
    crew: { label: ['Crew', 'Команда'], resource: 'sailor', match: { port: '$record.crew' } },
  },
  actions: {
    sell: {
      label: ['Sell', 'Продать'],
      form: {
        name: { type: 'text', label: ['New name', 'Новое название'] },
        fee: { type: 'integer', label: ['New fee', 'Новая плата'] },
      },
    },
  },
  access: { list: staff, create: staff, edit: staff },
})

const sailor = defineResource({
  name: 'sailor',
  label: { one: ['Sailor', 'Моряк'], many: ['Sailors', 'Моряки'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Имя'], required: true },
    port: { type: 'text', label: ['Port', 'Порт'] },
  },
  access: { list: staff },
})

const resources = [boat, sailor]
const tables = (port: string | null) => ({
  boat: [
    {
      id: 'b1',
      name: 'Gull',
      port,
      mateId: 's1',
      mate: { id: 's1', name: 'Ann' },
      fee: 5,
      crew: { size: 2 },
      state: 'READY',
      version: 1,
    },
  ],
  sailor: [{ id: 's1', name: 'Ann', port: 'Kiel', version: 1 }],
})

const select = (name: RegExp) => screen.findByRole('combobox', { name })

it('keeps a choice closed until it is known what it depends on', async () => {
  renderScreens({ at: '/boats/create', resources })
  const mate = await select(/^Mate/)
  expect(mate.hasAttribute('disabled')).toBe(true)
  expect(screen.getByText('First choose: Port')).toBeTruthy()
  await type(/^Port/, 'Kiel')
  expect((await select(/^Mate/)).hasAttribute('disabled')).toBe(false)
  expect(screen.queryByText('First choose: Port')).toBeNull()
})

it('empties a choice when what it depends on changes', async () => {
  const { calls } = renderScreens({ at: '/boats/b1/edit', resources, tables: tables('Kiel') })
  await screen.findAllByText('Ann')
  await type(/^Port/, 'Kiel')
  expect(screen.getAllByText('Ann').length).toBeGreaterThan(0)
  await type(/^Port/, 'Bremen')
  await waitFor(() => expect(screen.queryAllByText('Ann')).toEqual([]))
  save()
  await waitFor(() => expect(sent(calls, 'update')).toEqual([{ port: 'Bremen', mateId: null, version: 1 }]))
})

it('offers a new record only the states that it may start in', async () => {
  renderScreens({ at: '/boats/create', resources })
  fireEvent.mouseDown(await select(/^State/))
  await screen.findByRole('option', { name: 'Ready' })
  expect(screen.queryByRole('option', { name: 'Sunk' })).toBeNull()
})

it('leaves a field that is closed to the role out of the form of an action', async () => {
  for (const role of staff) {
    renderScreens({ at: '/boats/b1', resources, tables: tables('Kiel'), role })
    fireEvent.click(await screen.findByRole('button', { name: 'Sell' }))
    await input(/^New name/)
    expect(screen.queryAllByLabelText(/^New fee/)).toHaveLength(role === 'admin' ? 1 : 0)
    cleanup()
  }
})

it.each([
  ['an empty value', '/boats/b1/port', null],
  ['a group of values', '/boats/b1/crew', 'Kiel'],
])('shows no rows of others in a tab that matches by %s', async (_what, at, port) => {
  const { calls } = renderScreens({ at, resources, tables: tables(port) })
  await screen.findByText('Nothing here yet')
  expect(calls.filter(({ method, resource }) => method === 'list' && resource === 'sailor')).toEqual([])
})
