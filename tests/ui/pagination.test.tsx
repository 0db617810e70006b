import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { Pagination, type PaginationProps, pageMarks } from '#ui/grid/pagination.tsx'

afterEach(cleanup)

const renderPages = (props: Partial<PaginationProps> = {}) =>
  render(<Pagination page={4} pageSize={25} total={10_000} href={(page) => `?page=${page}`} {...props} />)

it('leads to each page by a link, the current one marked', () => {
  renderPages()
  expect(screen.getByRole('link', { name: 'Page 5' }).getAttribute('href')).toBe('?page=5')
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('4')
  expect(screen.getByRole('link', { name: 'Next page' }).getAttribute('href')).toBe('?page=5')
})

it('has no link before the first page nor after the last', () => {
  renderPages({ page: 1, total: 10 })
  expect(screen.queryByRole('link', { name: 'Previous page' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Next page' })).toBeNull()
})

it('says which rows these are of how many', () => {
  renderPages()
  expect(screen.getByText('76–100 of 10,000')).toBeTruthy()
})

it('says nothing of rows while the total is not known', () => {
  const { container } = renderPages({ total: undefined })
  expect(container.querySelector('.ui-pages-range')?.textContent?.trim()).toBe('')
})

it('offers the next page and claims no total where it is not told', () => {
  const { container } = renderPages({ total: Number.POSITIVE_INFINITY })
  expect(container.querySelector('.ui-pages-range')?.textContent).toBe('76–100')
  expect(screen.getByRole('link', { name: 'Next page' }).getAttribute('href')).toBe('?page=5')
  expect(screen.queryByRole('link', { name: 'Page 6' })).toBeNull()
})

it('hands the chosen page size on as a number', () => {
  const onPageSizeChange = vi.fn()
  renderPages({ onPageSizeChange })
  fireEvent.change(screen.getByRole('combobox', { name: 'Rows per page' }), { target: { value: '100' } })
  expect(onPageSizeChange).toHaveBeenCalledWith(100)
})

it('offers a page size that came from the address though it is none of the usual', () => {
  renderPages({ pageSize: 10, onPageSizeChange: vi.fn() })
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Rows per page' }).value).toBe('10')
})

it('keeps seven places however far the page', () => {
  expect([1, 4, 5, 200, 397, 400].map((page) => pageMarks(page, 400).length)).toEqual([7, 7, 7, 7, 7, 7])
  expect(pageMarks(2, 3)).toEqual([1, 2, 3])
})
