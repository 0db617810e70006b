import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chooseFilter, numbered } from '#tests/support/boat-list.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const button = (name: string) => screen.getByRole('button', { name })
const apply = () => fireEvent.click(button('Apply'))
const isOpen = (name: string) => screen.queryByRole('dialog', { name }) !== null

/** Opens the filter of a field that the list does not show by itself. */
async function openFilter(name: string) {
  const { address } = renderScreens({ at: '/boats', tables: numbered(4) })
  await screen.findByText('B001')
  chooseFilter(name)
  await screen.findByRole('button', { name: 'Apply' })
  return { address }
}

describe('a ticked "filled"', () => {
  it.each([
    ['Secret note', 'secretNote'],
    ['Power', 'powerW'],
  ])('stays when the filter of %s is applied with nothing typed', async (name, path) => {
    const { address } = await openFilter(name)
    fireEvent.click(screen.getByRole('checkbox', { name: 'Filled' }))
    await waitFor(() => expect(address()).toBe(`/boats?${path}_null=false`))
    apply()
    await waitFor(() => expect(isOpen(name)).toBe(false))
    expect(address()).toBe(`/boats?${path}_null=false`)
  })

  it('gives way to what is typed', async () => {
    const { address } = await openFilter('Secret note')
    fireEvent.click(screen.getByRole('checkbox', { name: 'Filled' }))
    fireEvent.change(screen.getByLabelText('Contains'), { target: { value: 'gull' } })
    apply()
    await waitFor(() => expect(address()).toBe('/boats?secretNote_like=gull'))
  })
})

it('a number that cannot be read is not applied: it stays, and its input says why', async () => {
  const { address } = await openFilter('Power')
  const from = screen.getByLabelText<HTMLInputElement>('From')
  fireEvent.change(from, { target: { value: '1 kW' } })
  expect(from.validationMessage).toBe('Use a number')
  apply()
  expect(isOpen('Power')).toBe(true)
  expect(address()).toBe('/boats')
  fireEvent.change(from, { target: { value: '1 000,5' } })
  expect(from.validationMessage).toBe('')
  apply()
  await waitFor(() => expect(address()).toBe('/boats?powerW_gte=1000.5'))
})

describe('a wrong day', () => {
  const openDays = async () => {
    const opened = await openFilter('Built')
    const since = await screen.findByLabelText<HTMLInputElement>('Since')
    fireEvent.input(since, { target: { value: '99.99' } })
    expect(since.checkValidity()).toBe(false)
    return { ...opened, since }
  }

  it('blocks the filter', async () => {
    const { address } = await openDays()
    apply()
    expect(isOpen('Built')).toBe(true)
    expect(address()).toBe('/boats')
  })

  it('no longer blocks once a shortcut replaces it', async () => {
    const { address } = await openDays()
    fireEvent.click(button('Today'))
    await waitFor(() => expect(address()).toMatch(/^\/boats\?builtOn_gte=[\d-]+&builtOn_lte=[\d-]+$/))
  })

  it('no longer blocks once a day of the calendar replaces it', async () => {
    const { address, since } = await openDays()
    fireEvent.click(since)
    const days = await waitFor(() => {
      const found = document.querySelectorAll('.ant-picker-cell-in-view .ant-picker-cell-inner')
      if (!found[14]) throw new Error('the calendar is not open yet')
      return found
    })
    fireEvent.click(days[14] as Element)
    await waitFor(() => expect(since.checkValidity()).toBe(true))
    apply()
    await waitFor(() => expect(address()).toMatch(/^\/boats\?builtOn_gte=[\d-]+-15$/))
  })
})
