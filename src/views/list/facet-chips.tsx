import { type BaseRecord, useDataProvider } from '@refinedev/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { fieldText } from '#fields/field-text.ts'
import { fieldOf } from '#schema/definition.ts'
import { formatNumber } from '#schema/format/format.ts'
import { isObject } from '#schema/is-object.ts'
import { type Filter, type ScreenState, wireQuery } from '#schema/list-query.ts'
import type { AnyResource, ListFacts } from '#schema/resource.ts'
import { Badge } from '#ui/feedback/badge.tsx'
import type { ListSource } from './refine-query.ts'

type Counted = { value: string; count: number }

/** Rows arrive constantly and counting them all is expensive. */
const refreshMs = 30_000

function countedOf(data: unknown, name: string): Counted[] {
  return (Array.isArray(data) ? data : []).filter(isObject).flatMap((row) => {
    const [value, count] = [row[name], row.count]
    return typeof value === 'string' && typeof count === 'number' ? [{ value, count }] : []
  })
}

type Asked = { filters: readonly Filter[]; q: string; source: ListSource | undefined }

function useCounts({ field, from }: NonNullable<ListFacts['facet']>, { filters, q, source }: Asked) {
  const dataProvider = useDataProvider()
  const all = [...(source?.fixed ?? []), ...filters]
  const asked = wireQuery({ filters: all, sort: [], start: 0, end: 1, ...(q.trim() ? { q: q.trim() } : {}) })
  return useQuery({
    queryKey: ['facet', from, asked.toString()],
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
    queryFn: async (context) => {
      const query = Object.fromEntries([...new Set(asked.keys())].map((key) => [key, asked.getAll(key)]))
      const meta = { queryContext: context, quiet: true }
      const answer = await dataProvider().custom?.<BaseRecord>({ url: from, method: 'get', query, meta })
      return countedOf(answer?.data, field)
    },
  })
}

export type FacetChipsProps = {
  resource: AnyResource
  facet: NonNullable<ListFacts['facet']>
  state: Pick<ScreenState, 'filters' | 'q'>
  source?: ListSource | undefined
  onChange: (filters: readonly Filter[]) => void
}

/** Values of one field with their counts; a click toggles the filter. */
export function FacetChips({ resource, facet, state, source, onChange }: FacetChipsProps) {
  const sayLabel = useSay()
  const { language, zone } = useConsole()
  const field = fieldOf(resource, facet.field)
  const { data = [], isPending } = useCounts(facet, { ...state, source })
  if (!field) return null
  const own = state.filters.find((filter) => filter.field === facet.field && filter.op === 'eq')
  const chosen = own?.values.map(String) ?? []
  // A selected value without rows stays visible, so that it can be removed.
  const gone = chosen.filter((value) => !data.some((each) => each.value === value)).map((value) => ({ value, count: 0 }))
  const chips = [...data, ...gone]
  // Keeps the place of the chips until they are counted.
  if (chips.length === 0) return isPending ? <div className="view-facet" /> : null
  const toggle = (value: string) => {
    const next = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]
    const rest = state.filters.filter((filter) => filter !== own)
    onChange(next.length > 0 ? [...rest, { field: facet.field, op: 'eq', values: next }] : rest)
  }
  return (
    <fieldset className="view-chips view-facet">
      <legend className="ui-hidden">{sayLabel(field.label)}</legend>
      {chips.map(({ value, count }) => (
        <button key={value} type="button" aria-pressed={chosen.includes(value)} onClick={() => toggle(value)}>
          {fieldText(field, field.type === 'tags' ? [value] : value, { language, zone })}
          <Badge count={count} text={formatNumber(count, 0, language)} />
        </button>
      ))}
    </fieldset>
  )
}
