import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SearchInput } from '#ui/input/search-input.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const onChange = vi.fn()

function Page() {
  const [value, setValue] = useState('')
  const handleChange = (next: string) => {
    onChange(next)
    setValue(next)
  }
  return (
    <>
      <SearchInput label="Search" value={value} onChange={handleChange} />
      <button type="button" onClick={() => setValue('from the address')}>
        Back
      </button>
    </>
  )
}

function renderSearch() {
  onChange.mockClear()
  render(<Page />)
  const box = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' })
  return { box, type: (value: string) => fireEvent.change(box, { target: { value } }) }
}

const rest = (ms: number) => act(() => vi.advanceTimersByTime(ms))

it('waits for the hand to rest', () => {
  const { type } = renderSearch()
  type('e')
  rest(150)
  type('es')
  rest(150)
  expect(onChange).not.toHaveBeenCalled()
  rest(50)
  expect(onChange.mock.calls).toEqual([['es']])
})

it('does not wait for Enter, Esc and clear', () => {
  const { box, type } = renderSearch()
  type('ess')
  fireEvent.keyDown(box, { key: 'Enter' })
  fireEvent.keyDown(box, { key: 'Escape' })
  expect(onChange.mock.calls).toEqual([['ess'], ['']])
  expect(box.value).toBe('')
})

it('shows what the address says, but never over letters that are being typed', () => {
  const { box, type } = renderSearch()
  fireEvent.click(screen.getByRole('button', { name: 'Back' }))
  expect(box.value).toBe('from the address')
  type('new words')
  rest(100)
  expect(box.value).toBe('new words')
})

it('does not send what was typed after it is gone', () => {
  const { type } = renderSearch()
  type('ess')
  cleanup()
  rest(500)
  expect(onChange).not.toHaveBeenCalled()
})

function Filtered() {
  const [{ q, kind }, setAddress] = useState({ q: '', kind: 'all' })
  return (
    <>
      <SearchInput label="Search" value={q} onChange={(next) => setAddress({ q: next, kind })} />
      <button type="button" onClick={() => setAddress({ q, kind: 'sail' })}>
        Sail
      </button>
      <output>{`${q} ${kind}`}</output>
    </>
  )
}

it('keeps a filter that is chosen while the hand rests', () => {
  render(<Filtered />)
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'ess' } })
  rest(100)
  fireEvent.click(screen.getByRole('button', { name: 'Sail' }))
  rest(100)
  expect(screen.getByRole('status').textContent).toBe('ess sail')
})
