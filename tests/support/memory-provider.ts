import type { BaseRecord, CrudFilter, DataProvider } from '@refinedev/core'

type Row = BaseRecord & { id: string }
export type Tables = Record<string, Row[]>
export type Call = { method: string; resource: string; details: Record<string, unknown> }

const fieldOf = (row: Row, path: string): unknown =>
  path.split('.').reduce<unknown>((at, key) => (at as Row | undefined)?.[key], row)

const tests: Partial<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  eq: (value, wanted) => value === wanted,
  in: (value, wanted) => Array.isArray(wanted) && wanted.includes(value),
  nin: (value, wanted) => Array.isArray(wanted) && !wanted.includes(value),
  contains: (value, wanted) => String(value).toLowerCase().includes(String(wanted).toLowerCase()),
  gte: (value, wanted) => Number(value) >= Number(wanted),
  lte: (value, wanted) => Number(value) <= Number(wanted),
  null: (value) => value === null || value === undefined,
  nnull: (value) => value !== null && value !== undefined,
}

const matches = (row: Row, filter: CrudFilter): boolean => {
  if (!('field' in filter)) return true
  if (filter.field === 'q') return JSON.stringify(row).toLowerCase().includes(String(filter.value).toLowerCase())
  return tests[filter.operator]?.(fieldOf(row, filter.field), filter.value) ?? true
}

/** A data provider over arrays; `before` may hold a call back or refuse it. */
export function memoryProvider(tables: Tables, before: (call: Call) => unknown = () => undefined) {
  const calls: Call[] = []
  const note = async (method: string, resource: string, details: Record<string, unknown>) => {
    const call = { method, resource, details }
    calls.push(call)
    await before(call)
  }
  const table = (name: string): Row[] => {
    tables[name] ??= []
    return tables[name]
  }
  const find = (name: string, id: unknown): Row => {
    const found = table(name).find((row) => row.id === String(id))
    if (!found) throw Object.assign(new Error('There is no such record'), { statusCode: 404 })
    return found
  }
  const provider = {
    getApiUrl: () => '',
    getList: async ({ resource, filters = [], sorters = [], pagination, meta }) => {
      const { queryContext: _, ...rest } = meta ?? {}
      await note('list', resource, { filters, sorters, pagination, meta: rest })
      const rows = table(typeof rest.from === 'string' ? rest.from : resource).filter((row) =>
        filters.every((filter) => matches(row, filter)),
      )
      const [sorter] = sorters
      const sorted = sorter
        ? rows.toSorted((a, b) => {
            const order = String(fieldOf(a, sorter.field)).localeCompare(String(fieldOf(b, sorter.field)))
            return sorter.order === 'desc' ? -order : order
          })
        : rows
      const { currentPage = 1, pageSize = 25 } = pagination ?? {}
      return {
        data: structuredClone(sorted.slice((currentPage - 1) * pageSize, currentPage * pageSize)) as never[],
        total: rows.length,
      }
    },
    getOne: async ({ resource, id }) => {
      await note('one', resource, { id })
      return { data: structuredClone(find(resource, id)) as never }
    },
    getMany: async ({ resource, ids }) => {
      await note('many', resource, { ids })
      return { data: ids.flatMap((id) => table(resource).filter((row) => row.id === String(id))) as never[] }
    },
    create: async ({ resource, variables, meta }) => {
      await note('create', resource, { variables, onceKey: meta?.onceKey?.() })
      const made: Row = { version: 1, ...variables, id: `new-${table(resource).length + 1}` }
      table(resource).push(made)
      return { data: structuredClone(made) as never }
    },
    update: async ({ resource, id, variables }) => {
      await note('update', resource, { id, variables })
      const row = find(resource, id)
      const { version, ...values } = variables as Record<string, unknown>
      if (version !== row.version) {
        throw Object.assign(new Error('The record was changed'), { statusCode: 409, current: structuredClone(row) })
      }
      Object.assign(row, values, { version: Number(row.version) + 1 })
      return { data: structuredClone(row) as never }
    },
    deleteOne: async ({ resource, id }) => {
      await note('delete', resource, { id })
      tables[resource] = table(resource).filter((row) => row.id !== id)
      return { data: {} as never }
    },
    custom: async ({ url, query }) => {
      await note('custom', url, query ? { query } : {})
      return { data: structuredClone(tables[url] ?? {}) as never }
    },
  } satisfies DataProvider
  return { provider, calls, tables }
}
