import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import { input, oneBoat, save, sent, type } from '#tests/support/boat-form.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const measured: AnyResource = {
  ...boat,
  fields: {
    ...boat.fields,
    crew: { type: 'integer', label: ['Crew', 'Команда'] },
    draughtM: { type: 'decimal', label: ['Draught', 'Осадка'], digits: 2 },
    price: { type: 'money', label: ['Price', 'Цена'], currency: 'EUR' },
    sharePct: { type: 'percent', label: ['Share', 'Доля'] },
    logBytes: { type: 'bytes', label: ['Log size', 'Журнал'] },
  },
}
const resources = [measured, sailor]

it.each([
  [/^Power/, '15 kWh', 'Use a number, in W'],
  [/^Crew/, 'five', 'Use a number'],
  [/^Crew/, '12.5', 'Use a whole number'],
  [/^Power/, '1234.56', 'Use a whole number'],
  [/^Log size/, '1.5', 'Use a whole number'],
  [/^Draught/, '1.234', 'Use at most 2 decimals'],
  [/^Draught/, '2 m', 'Use a number'],
  [/^Price/, '5 USD', 'Use a number'],
  [/^Share/, 'half', 'Use a number'],
])('the number field %s keeps %s with a message at it, and the form is not saved', async (label, text, message) => {
  const { calls } = renderScreens({ at: '/boats/b1/edit', tables: oneBoat(), resources })
  await type(label, text)
  const field = (await input(label)) as HTMLInputElement
  fireEvent.blur(field)
  expect(await screen.findByText(message)).toBeTruthy()
  expect(field.value).toBe(text)
  save()
  expect((await screen.findAllByText(message)).length).toBeGreaterThan(0)
  expect(field.value).toBe(text)
  expect(sent(calls, 'update')).toEqual([])
})

it('a number with the unit of its field is saved', async () => {
  const { calls } = renderScreens({ at: '/boats/b1/edit', tables: oneBoat(), resources })
  await type(/^Power/, '15 000 W')
  await type(/^Price/, '12.50 EUR')
  save()
  await screen.findByText('Gull')
  expect(sent(calls, 'update')).toMatchObject([{ powerW: 15_000, price: 12.5 }])
})
