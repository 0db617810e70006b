import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { DataGrid } from '#ui/grid/data-grid.tsx'
import type { DataGridProps, GridColumn } from '#ui/grid/data-grid-types.ts'

afterEach(cleanup)

type Row = { id: string; code: string; powerW: number }

const rows: Row[] = ['1', '2', '3', '4'].map((id) => ({ id, code: `ESS-${id}`, powerW: Number(id) * 100 }))
const columns: GridColumn<Row>[] = [
  { key: 'code', header: 'Code', sort: 'none', cell: (row) => row.code },
  { key: 'power', header: 'Power, W', sort: 'desc', align: 'end', cell: (row) => row.powerW },
  { key: 'note', header: 'Note', cell: () => 'note' },
]

const grid = (props: Partial<DataGridProps<Row>> = {}) => (
  <DataGrid
    label="Systems"
    rows={rows}
    columns={columns}
    rowKey={(row) => row.id}
    rowHref={(row) => `/ess/${row.id}`}
    {...props}
  />
)

it('leads to a record by a real link in the first cell only', () => {
  render(grid())
  const [, first] = screen.getAllByRole('row')
  const links = within(first as HTMLElement).getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([['ESS-1', '/ess/1']])
})

it('names each row by its first cell, and a card of one cell by nothing', () => {
  const { rerender } = render(grid())
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['ESS-1', 'ESS-2', 'ESS-3', 'ESS-4'])
  rerender(grid({ columns: columns.slice(0, 1) }))
  expect(screen.queryAllByRole('rowheader')).toEqual([])
})

it('opens a new tab when the bare row is pressed by the middle button, and leaves the menu of the right one alone', () => {
  const held: unknown[] = []
  render(grid())
  screen.getByRole('link', { name: 'ESS-2' }).addEventListener('click', (event) => {
    event.preventDefault()
    held.push(event.ctrlKey && event.metaKey)
  })
  const aux = (button: number) => fireEvent(screen.getByText('200'), new MouseEvent('auxclick', { bubbles: true, button }))
  aux(2)
  expect(held).toEqual([])
  aux(1)
  expect(held).toEqual([true])
})

it('follows the link when the bare row is pressed, but not when a control in it is', () => {
  const opened = vi.fn((event: Event) => event.preventDefault())
  render(grid({ rowActions: () => <button type="button">Edit</button> }))
  screen.getByRole('link', { name: 'ESS-2' }).addEventListener('click', opened)
  fireEvent.click(screen.getByText('200'))
  expect(opened).toHaveBeenCalledOnce()
  fireEvent.click(screen.getAllByRole('button', { name: 'Edit' })[1] as HTMLElement)
  expect(opened).toHaveBeenCalledOnce()
})

it('keeps the keys held, so that a new tab stays a new tab', () => {
  const held: boolean[] = []
  render(grid())
  screen.getByRole('link', { name: 'ESS-2' }).addEventListener('click', (event) => {
    event.preventDefault()
    held.push(event.ctrlKey)
  })
  fireEvent.click(screen.getByText('200'), { ctrlKey: true })
  expect(held).toEqual([true])
})

it('draws ten rows first and keeps the place of the others, then all', () => {
  const many = Array.from({ length: 25 }, (_, index) => ({ id: `${index}`, code: `ESS-${index}`, powerW: 0 }))
  const first = document.createElement('div')
  first.innerHTML = renderToString(grid({ rows: many }))
  expect(first.querySelectorAll('a[data-row-link]')).toHaveLength(10)
  expect(first.querySelector<HTMLElement>('tbody[aria-hidden] td')?.style.height).toContain('15 *')
  const whole = document.createElement('div')
  whole.innerHTML = renderToString(grid({ rows: many, isWhole: true }))
  expect(whole.querySelectorAll('a[data-row-link]')).toHaveLength(25)
  const { container } = render(grid({ rows: many }))
  expect(container.querySelectorAll('a[data-row-link]')).toHaveLength(25)
  expect(container.querySelector('tbody[aria-hidden]')).toBeNull()
})

it('keeps the rows that stay, and makes those of another page anew', () => {
  const rowsFrom = (from: number) =>
    Array.from({ length: 3 }, (_, index) => ({ id: `${from + index}`, code: `ESS-${from + index}`, powerW: 0 }))
  const { container, rerender } = render(grid({ rows: rowsFrom(0) }))
  const body = container.querySelector('tbody')
  rerender(grid({ rows: rowsFrom(1) }))
  expect(container.querySelector('tbody')).toBe(body)
  rerender(grid({ rows: rowsFrom(9) }))
  expect(container.querySelector('tbody')).not.toBe(body)
  expect(container.querySelectorAll('a[data-row-link]')).toHaveLength(3)
})

describe('sorting', () => {
  it('says the order of each column that can be sorted by', () => {
    render(grid({ onSort: vi.fn() }))
    const orders = screen.getAllByRole('columnheader').map((header) => header.getAttribute('aria-sort'))
    expect(orders).toEqual(['none', 'descending', null])
  })

  it('goes from none to up, from down to none, and adds with Shift', () => {
    const onSort = vi.fn()
    render(grid({ onSort }))
    fireEvent.click(screen.getByRole('button', { name: 'Code' }))
    fireEvent.click(screen.getByRole('button', { name: 'Power, W' }), { shiftKey: true })
    expect(onSort.mock.calls).toEqual([
      ['code', 'asc', false],
      ['power', undefined, true],
    ])
  })
})

describe('selection', () => {
  const select = (keys: string[], isSelectable?: (row: Row) => boolean) => {
    const onChange = vi.fn()
    render(grid({ selection: { keys: new Set(keys), onChange, rowLabel: (row) => row.code, isSelectable } }))
    return () => onChange.mock.calls.map(([next]) => [...next].sort())
  }

  it('adds one row and keeps those of other pages', () => {
    const changes = select(['99'])
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select ESS-2' }))
    expect(changes()).toEqual([['2', '99']])
  })

  it('ticks the whole page but for what cannot be ticked', () => {
    const changes = select(['99'], (row) => row.id !== '3')
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }))
    expect(changes()).toEqual([['1', '2', '4', '99']])
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select ESS-3' }).disabled).toBe(true)
  })

  it('says when some of the page is ticked', () => {
    select(['1'])
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all rows on this page' })
    expect([all.checked, all.indeterminate]).toEqual([false, true])
  })

  it('reaches from the last row ticked with Shift', () => {
    const changes = select([])
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select ESS-1' }))
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select ESS-3' }), { shiftKey: true })
    expect(changes().at(-1)).toEqual(['1', '2', '3'])
  })
})

describe('without rows', () => {
  it('shows as many grey rows as a page has and says that it is busy', () => {
    const { container } = render(grid({ rows: undefined, skeletonRows: 7 }))
    expect(container.querySelectorAll('tbody tr')).toHaveLength(7)
    expect(screen.getByRole('region', { name: 'Systems' }).getAttribute('aria-busy')).toBe('true')
  })

  it('says what to do when nothing is there', () => {
    render(grid({ rows: [], empty: 'Try fewer filters' }))
    expect(screen.getByText('Try fewer filters')).toBeTruthy()
  })
})

it('draws a row again only when its own facts change', () => {
  const cell = vi.fn((row: Row) => row.code)
  const stable = {
    columns: [{ key: 'code', header: 'Code', cell }],
    rowKey: (row: Row) => row.id,
    rowHref: (row: Row) => `/ess/${row.id}`,
  }
  const rowLabel = (row: Row) => row.code
  const withKeys = (keys: string[]) => grid({ ...stable, selection: { keys: new Set(keys), onChange: vi.fn(), rowLabel } })
  const { rerender } = render(withKeys([]))
  expect(cell).toHaveBeenCalledTimes(4)
  rerender(withKeys(['2']))
  expect(cell.mock.calls.slice(4).map(([row]) => row.id)).toEqual(['2'])
})
