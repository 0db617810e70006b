import { useId } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'
import { NativeSelect } from '#ui/input/native-select.tsx'
import { Link } from '#ui/layout/link.tsx'
import { fillWord, useUiLocale, useUiWords } from '#ui/theme/ui-words.tsx'

export type PaginationProps = {
  /** 1-based. */
  page: number
  pageSize: number
  /** `undefined` while loading; `Infinity` when the server sends no total. */
  total: number | undefined
  href: (page: number) => string
  pageSizes?: readonly number[] | undefined
  onPageSizeChange?: ((pageSize: number) => void) | undefined
  /** Hover or focus on a page link: a hint to prefetch that page. */
  onPageIntent?: ((page: number) => void) | undefined
}

type PageMark = number | 'gap-before' | 'gap-after'

/** First, last, and the neighbours of the current page: always seven slots, so that the links do not move under the pointer. */
export function pageMarks(page: number, pageCount: number): PageMark[] {
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
  if (pageCount <= 7) return range(1, pageCount)
  if (page <= 4) return [...range(1, 5), 'gap-after', pageCount]
  if (page >= pageCount - 3) return [1, 'gap-before', ...range(pageCount - 4, pageCount)]
  return [1, 'gap-before', page - 1, page, page + 1, 'gap-after', pageCount]
}

export function Pagination({ page, pageSize, total, href, pageSizes = [25, 50, 100, 200], ...on }: PaginationProps) {
  const words = useUiWords()
  const sizeId = useId()
  const number = new Intl.NumberFormat(useUiLocale())
  const isOpen = total === Infinity
  const pageCount = isOpen ? page + 1 : Math.max(1, Math.ceil((total ?? 0) / pageSize))
  const from = total ? (page - 1) * pageSize + 1 : 0
  const range = {
    from: number.format(from),
    to: number.format(Math.min(page * pageSize, total ?? 0)),
    total: number.format(total ?? 0),
  }
  const { onPageSizeChange, onPageIntent } = on
  const step = { href, pageCount, onPageIntent }
  return (
    <div className="ui-pages">
      <span className="ui-pages-range" aria-live="polite">
        {total === undefined ? ' ' : isOpen ? `${range.from}–${range.to}` : fillWord(words.pageRange, range)}
      </span>
      {onPageSizeChange && (
        <div className="ui-pages-size">
          <label htmlFor={sizeId}>{words.rowsPerPage}</label>
          <NativeSelect
            id={sizeId}
            size="small"
            value={String(pageSize)}
            options={sizeOptions(pageSizes, pageSize)}
            onChange={(value) => onPageSizeChange(Number(value))}
          />
        </div>
      )}
      <nav aria-label={words.pages}>
        <ul>
          <li>
            <Step {...step} page={page - 1} icon="chevron-left" label={words.previousPage} rel="prev" />
          </li>
          {pageMarks(page, pageCount).map((mark) => (
            <li key={mark} className={mark === page ? 'ui-pages-here' : 'ui-pages-other'}>
              {typeof mark === 'number' ? (
                <Link
                  href={href(mark)}
                  className="ui-page"
                  aria-current={mark === page ? 'page' : undefined}
                  aria-label={fillWord(words.page, { page: mark })}
                  onPointerEnter={onPageIntent && (() => onPageIntent(mark))}
                >
                  {number.format(mark)}
                </Link>
              ) : (
                <span className="ui-page-gap">…</span>
              )}
            </li>
          ))}
          <li>
            <Step {...step} page={page + 1} icon="chevron-right" label={words.nextPage} rel="next" />
          </li>
        </ul>
      </nav>
    </div>
  )
}

/** The address may name a page size that is not offered. */
function sizeOptions(pageSizes: readonly number[], pageSize: number) {
  const sizes = [...new Set([...pageSizes, pageSize])].sort((a, b) => a - b)
  return sizes.map((size) => ({ value: String(size), label: String(size) }))
}

type StepProps = Pick<PaginationProps, 'href' | 'onPageIntent' | 'page'> & {
  pageCount: number
  icon: IconName
  label: string
  rel: 'prev' | 'next'
}

function Step({ page, pageCount, href, onPageIntent, icon, label, rel }: StepProps) {
  const mark = <Icon name={icon} label={label} />
  const isThere = page >= 1 && page <= pageCount
  if (!isThere) return <span className="ui-page ui-page-off">{mark}</span>
  return (
    <Link
      href={href(page)}
      rel={rel}
      className="ui-page"
      title={label}
      onPointerEnter={onPageIntent && (() => onPageIntent(page))}
      onFocus={onPageIntent && (() => onPageIntent(page))}
    >
      {mark}
    </Link>
  )
}
