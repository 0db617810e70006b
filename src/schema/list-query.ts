import { fieldOf } from './definition.ts'
import { choicesIn, choicesOf, hasChoices } from './facts/choices.ts'
import { longestText } from './facts/longest-text.ts'
import type { Fault } from './faults.ts'
import { type Comparison, type Field, traitsOf } from './field-types.ts'
import { isDate, isTime } from './format/time-text.ts'
import type { AnyResource, Order } from './resource.ts'

export const filterOps = ['eq', 'ne', 'gte', 'lte', 'like', 'null'] as const
export type FilterOp = (typeof filterOps)[number]
export type FilterValue = string | number | boolean
/** `eq` with several values means any of them, `ne` none of them. */
export type Filter = { field: string; op: FilterOp; values: readonly FilterValue[] }
export type Sort = { field: string; order: Order }
/** A list request for the half-open range of rows `start` to `end`. Shared by address, wire and SQL. */
export type ListQuery = { filters: readonly Filter[]; sort: readonly Sort[]; q?: string; start: number; end: number }

/** Limit of one page: a request for more is refused. */
export const maxRows = 200
const maxStart = 1_000_000
/** Each sort key costs time, and an order of six is not readable. */
export const maxSorts = 5
const defaultRows = 20

const equal = ['eq', 'ne', 'null'] as const
const ordered = [...equal, 'gte', 'lte'] as const
const textual = [...equal, 'like'] as const

const compared: Record<Comparison, readonly FilterOp[]> = {
  text: textual,
  number: ordered,
  time: ordered,
  boolean: equal,
  choice: equal,
  reference: equal,
  references: ['eq'],
  tags: ['eq'],
  none: [],
}

/** Filter operators of a field; none = neither filtered nor sorted. `eq` on a multi-value field: one of its values matches. */
export const operatorsOf = (field: Field): readonly FilterOp[] => compared[traitsOf(field).compare]

const texts: Readonly<Record<string, FilterValue>> = { true: true, false: false }
const mostChars = longestText.text
const isRefused = (text: string) => text.length > mostChars || text.includes('\u0000')

/** A query value parsed by the field's type; undefined when it does not parse. Bounds do not apply to filters. */
export function valueFromText(field: Field, text: string): FilterValue | undefined {
  // At most 15 digits plus sign and point: as many as a double carries exactly.
  if (traitsOf(field).compare === 'number') return /^(?=.{1,17}$)-?\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined
  if (field.type === 'boolean') return Object.hasOwn(texts, text) ? texts[text] : undefined
  const choices = choicesIn(field)
  if (choices) return choices.includes(text) ? text : undefined
  if (field.type === 'date' || field.type === 'dateTime') return timeFromText(field, text)
  return text && !isRefused(text) ? text : undefined
}
function timeFromText(field: Field, text: string): string | undefined {
  if (field.type === 'date') return isDate(text) ? text : undefined
  const whole = isDate(text) ? `${text}T00:00:00.000Z` : text
  return isTime(whole) ? new Date(whole).toISOString() : undefined
}

const suffix = /^(.+)_(ne|gte|lte|like|null)$/
const isOp = (text: string | undefined): text is FilterOp => filterOps.some((op) => op === text)

/** `status_ne` → the field `status` and the operator `ne`. */
export function splitKey(key: string): { field: string; op: FilterOp } {
  const [, field, op] = suffix.exec(key) ?? []
  return field && isOp(op) ? { field, op } : { field: key, op: 'eq' }
}

const wrongTimes: Readonly<Record<string, string>> = { date: 'bad-date', dateTime: 'bad-time' }

/** Fault of a wrong value: it lists the allowed choices, or the time format. */
const wrongValue = (field: Field, op: FilterOp, key: string): Omit<Fault, 'path'> =>
  op !== 'null' && hasChoices(field)
    ? { code: 'not-a-choice', params: { choices: choicesOf(field).join(', ') } }
    : { code: wrongTimes[field.type] ?? 'wrong-type', params: { key } }

type Parsed = { filter: Filter } | { fault: Fault }

/** Parses and validates one filter. `readable` excludes fields that the caller may not read. */
export function parseFilter(
  resource: AnyResource,
  key: string,
  texts: readonly string[],
  readable: (path: string) => boolean = () => true,
): Parsed {
  const { field: path, op } = splitKey(key)
  const field = fieldOf(resource, path)
  if (!field || field.sortOnly || !readable(path)) return { fault: { path: key, code: 'unknown-field', params: { key: path } } }
  if (!operatorsOf(field).includes(op)) return { fault: { path: key, code: 'unknown-operator', params: { key: path } } }
  const values = texts.map((text) =>
    op === 'null' ? (text === 'true' ? true : text === 'false' ? false : undefined) : valueFromText(field, text),
  )
  const good = values.filter((value) => value !== undefined)
  const single = op !== 'eq' && op !== 'ne' && values.length > 1
  if (good.length !== values.length || values.length === 0 || single)
    return { fault: { path: key, ...wrongValue(field, op, path) } }
  return { filter: { field: path, op, values: good } }
}

/** True for a field with several values, which cannot be sorted by. */
export const isMany = ({ type }: Field): boolean => type === 'tags' || type === 'references'

export const isSortable = (field: Field | undefined): boolean => !!field && !isMany(field) && operatorsOf(field).length > 0
const maySort = (resource: AnyResource, path: string, readable: (path: string) => boolean) =>
  isSortable(fieldOf(resource, path)) && (!!fieldOf(resource, path)?.sortOnly || readable(path))

const wholeNumber = (text: string | null | undefined): number | undefined =>
  text && /^\d{1,9}$/.test(text) ? Number(text) : undefined
const reserved = new Set(['_start', '_end', '_sort', '_order', 'q'])
export type QueryInput = Readonly<Record<string, string | readonly string[] | undefined>>
const textsOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value

/** Strict parser of a list request: every unknown field, operator and wrong value is a fault. */
export function parseListQuery(
  resource: AnyResource,
  input: QueryInput,
  options: { ignore?: readonly string[]; readable?: (path: string) => boolean } = {},
): { query: ListQuery; faults: Fault[] } {
  const faults: Fault[] = []
  const filters: Filter[] = []
  for (const [key, value] of Object.entries(input)) {
    if (reserved.has(key) || options.ignore?.includes(key) || value === undefined) continue
    const parsed = parseFilter(resource, key, textsOf(value), options.readable)
    if ('filter' in parsed) filters.push(parsed.filter)
    else faults.push(parsed.fault)
  }
  const sort = parseSort(
    resource,
    textsOf(input._sort).join(','),
    textsOf(input._order).join(','),
    options.readable ?? (() => true),
  )
  const window = parseWindow(textsOf(input._start), textsOf(input._end))
  const q = textsOf(input.q).join(' ').trim()
  const query: ListQuery = { filters, sort: sort.sort, ...window.rows, ...(q ? { q } : {}) }
  const long = isRefused(q) ? [{ path: 'q', code: 'too-long', params: { max: mostChars } }] : []
  return { query, faults: [...faults, ...sort.faults, ...window.faults, ...long] }
}

function parseSort(
  resource: AnyResource,
  names: string,
  orders: string,
  readable: (path: string) => boolean,
): { sort: Sort[]; faults: Fault[] } {
  const fields = names === '' ? [] : names.split(',')
  const order = orders.toLowerCase().split(',')
  const bad = fields.filter((name) => !maySort(resource, name, readable))
  const faults: Fault[] = bad.map((key) => ({ path: '_sort', code: 'unknown-field', params: { key } }))
  if (fields.length > maxSorts) faults.push({ path: '_sort', code: 'too-many', params: { max: maxSorts } })
  if (orders !== '' && order.some((word) => word !== 'asc' && word !== 'desc')) {
    faults.push({ path: '_order', code: 'not-a-choice', params: { choices: 'asc, desc' } })
  }
  return { sort: fields.map((field, index) => ({ field, order: order[index] === 'desc' ? 'desc' : 'asc' })), faults }
}

function parseWindow(
  starts: readonly string[],
  ends: readonly string[],
): { rows: { start: number; end: number }; faults: Fault[] } {
  const start = starts.length === 0 ? 0 : wholeNumber(starts[0])
  const end = ends.length === 0 ? (start ?? 0) + defaultRows : wholeNumber(ends[0])
  const good =
    starts.length < 2 &&
    ends.length < 2 &&
    start !== undefined &&
    end !== undefined &&
    start <= maxStart &&
    end > start &&
    end - start <= maxRows
  return good
    ? { rows: { start, end }, faults: [] }
    : { rows: { start: 0, end: defaultRows }, faults: [{ path: '_end', code: 'bad-page' }] }
}

const filterKey = ({ field, op }: Filter) => (op === 'eq' ? field : `${field}_${op}`)
const filterEntries = (filters: readonly Filter[]): [string, string][] =>
  filters.flatMap((filter) => filter.values.map((value): [string, string] => [filterKey(filter), String(value)]))

/** The query string: `status=A&status=B&_start=0&_end=25&_sort=code&_order=asc`. A search too long to be taken is cut. */
export function wireQuery(query: ListQuery): URLSearchParams {
  const params = new URLSearchParams(filterEntries(query.filters))
  if (query.q) params.set('q', query.q.slice(0, mostChars))
  params.set('_start', String(query.start))
  params.set('_end', String(query.end))
  if (query.sort.length > 0) {
    params.set('_sort', query.sort.map(({ field }) => field).join(','))
    params.set('_order', query.sort.map(({ order }) => order).join(','))
  }
  return params
}

/** State of a list on screen, stored in the address only. */
export type ScreenState = {
  filters: readonly Filter[]
  sort: readonly Sort[]
  q: string
  page: number
  limit: number
  columns?: readonly string[]
}
/** Reserved query parameters: no field may have these names. */
export const screenKeys = ['q', 'sort', 'page', 'limit', 'columns', 'tab'] as const

/** Query string of a list state, without defaults: `sort=-connection,code&page=2`. */
export function screenParams(state: ScreenState, defaults: Pick<ScreenState, 'sort' | 'limit'>): URLSearchParams {
  const params = new URLSearchParams(filterEntries(state.filters))
  const sort = sortText(state.sort)
  if (state.q) params.set('q', state.q)
  if (sort !== sortText(defaults.sort)) params.set('sort', sort)
  if (state.page > 1) params.set('page', String(state.page))
  if (state.limit !== defaults.limit) params.set('limit', String(state.limit))
  if (state.columns) params.set('columns', state.columns.join(','))
  return params
}
const sortText = (sort: readonly Sort[]) => sort.map(({ field, order }) => (order === 'desc' ? `-${field}` : field)).join(',')

/** Lenient parser of a list address: unknown or unreadable parts are omitted and listed in `dropped`. */
export function screenState(
  resource: AnyResource,
  params: URLSearchParams,
  defaults: Pick<ScreenState, 'sort' | 'limit'>,
  readable: (path: string) => boolean = () => true,
): ScreenState & { dropped: string[] } {
  const keys = [...new Set(params.keys())].filter((key) => !screenKeys.some((name) => name === key))
  const parsed = keys.map((key) => ({ key, result: parseFilter(resource, key, params.getAll(key), readable) }))
  const words = params.get('sort')?.split(',').filter(Boolean)
  const sort = words?.map((word): Sort => ({ field: word.replace(/^-/, ''), order: word.startsWith('-') ? 'desc' : 'asc' }))
  const asked = wholeNumber(params.get('limit'))
  const limit = asked && asked <= maxRows ? asked : defaults.limit
  const sorted = sort?.filter(({ field }) => maySort(resource, field, readable)).slice(0, maxSorts)
  const unsorted = (sort ?? []).filter((one) => !sorted?.includes(one)).map(({ field }) => `sort=${field}`)
  const columns = (params.get('columns') ?? '').split(',').filter((name) => fieldOf(resource, name))
  return {
    filters: parsed.flatMap(({ result }) => ('filter' in result ? [result.filter] : [])),
    sort: sorted ?? defaults.sort,
    q: params.get('q') ?? '',
    // A page that the server would refuse is beyond the last one, too, and the list says so.
    page: Math.min(Math.max(1, wholeNumber(params.get('page')) ?? 1), Math.floor(maxStart / limit) + 1),
    limit,
    ...(columns.length > 0 ? { columns } : {}),
    dropped: [...parsed.flatMap(({ key, result }) => ('fault' in result ? [key] : [])), ...unsorted],
  }
}
