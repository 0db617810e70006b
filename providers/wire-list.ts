import type { CrudFilter, CrudOperators, CrudSort, Pagination } from '@refinedev/core'
import { type Filter, type FilterOp, type FilterValue, type ListQuery, maxRows } from '#schema/list-query.ts'

type Wire = { op: FilterOp; value?: boolean }

/** Refine operators that the contract supports; `value` replaces the filter's own. */
const operators: Partial<Record<CrudOperators, Wire>> = {
  eq: { op: 'eq' },
  in: { op: 'eq' },
  ne: { op: 'ne' },
  nin: { op: 'ne' },
  gte: { op: 'gte' },
  lte: { op: 'lte' },
  contains: { op: 'like' },
  null: { op: 'null', value: true },
  nnull: { op: 'null', value: false },
}

const isValue = (value: unknown): value is FilterValue =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

function valuesOf(filter: CrudFilter, wire: Wire): FilterValue[] {
  const raw: unknown = wire.value ?? filter.value
  const values: unknown[] = Array.isArray(raw) ? raw : [raw]
  return values.filter(isValue)
}

const isSearch = (filter: CrudFilter) => 'field' in filter && filter.field === 'q'

function wireFilter(filter: CrudFilter): Filter[] {
  const wire = operators[filter.operator]
  if (!wire || !('field' in filter)) throw new Error(`Filter “${filter.operator}” is not part of the contract`)
  const values = valuesOf(filter, wire)
  // An empty choice filters nothing.
  return values.length === 0 ? [] : [{ field: filter.field, op: wire.op, values }]
}

export type ListParams = {
  filters?: readonly CrudFilter[] | undefined
  sorters?: readonly CrudSort[] | undefined
  pagination?: Pagination | undefined
}

/** Refine's list parameters as the query of the wire. */
export function listQueryOf({ filters = [], sorters = [], pagination }: ListParams): ListQuery {
  const page = pagination?.currentPage ?? 1
  const size = Math.min(pagination?.pageSize ?? 10, maxRows)
  const window = pagination?.mode === 'off' ? { start: 0, end: maxRows } : { start: (page - 1) * size, end: page * size }
  const q = filters
    .filter(isSearch)
    .map(({ value }) => String(value ?? ''))
    .join(' ')
    .trim()
  return {
    filters: filters.filter((filter) => !isSearch(filter)).flatMap(wireFilter),
    sort: sorters.map(({ field, order }) => ({ field, order })),
    ...window,
    ...(q ? { q } : {}),
  }
}

export const totalHead = 'x-total-count'

/** A server may tell no total: a page that is not full is the last one, behind a full one there may be more. */
export const totalOf = ({ start, end }: ListQuery, { length }: ArrayLike<unknown>, header?: string | null): number =>
  Number(header ?? (length < end - start ? start + length : Number.POSITIVE_INFINITY))
