import type { CrudFilter, CrudSort } from '@refinedev/core'
import type { Filter, FilterOp, ScreenState, Sort } from '#schema/list-query.ts'

const operators = { ne: 'nin', gte: 'gte', lte: 'lte', like: 'contains' } as const satisfies Partial<Record<FilterOp, string>>

function crudFilter({ field, op, values }: Filter): CrudFilter {
  if (op === 'null') return { field, operator: values[0] === false ? 'nnull' : 'null', value: true }
  if (op === 'eq')
    return values.length > 1 ? { field, operator: 'in', value: values } : { field, operator: 'eq', value: values[0] }
  return { field, operator: operators[op], value: op === 'ne' ? values : values[0] }
}

/** List filters as Refine filters; the search is the filter `q`. */
export function crudFilters(filters: readonly Filter[], q: string): CrudFilter[] {
  const search: CrudFilter[] = q ? [{ field: 'q', operator: 'eq', value: q }] : []
  return [...filters.map(crudFilter), ...search]
}

export const crudSorters = (sort: readonly Sort[]): CrudSort[] => sort.map(({ field, order }) => ({ field, order }))

/** Source of a related list: its path and fixed filters are not part of the address. */
export type ListSource = { from?: string | undefined; fixed?: readonly Filter[] | undefined }

/** Parameters of Refine's list hook and its query key. */
export function listParams(state: Pick<ScreenState, 'filters' | 'sort' | 'q' | 'page' | 'limit'>, source: ListSource = {}) {
  return {
    filters: crudFilters([...(source.fixed ?? []), ...state.filters], state.q.trim()),
    sorters: crudSorters(state.sort),
    pagination: { currentPage: state.page, pageSize: state.limit, mode: 'server' as const },
    ...(source.from ? { meta: { from: source.from } } : {}),
  }
}
