import type { BaseRecord, CrudFilter, DataProvider, GetListResponse, GetOneResponse } from '@refinedev/core'
import type { Query, QueryClient } from '@tanstack/react-query'
import type { Definitions } from '#schema/definition.ts'
import { isObject } from '#schema/is-object.ts'
import { maxRows } from '#schema/list-query.ts'
import type { LiveEvent } from '#schema/wire/wire.ts'
import { RefetchTimer } from './refetch-timer.ts'
import { isNotOlder, isOutdatedBy } from './row-version.ts'

export type LiveCacheOptions = {
  client: QueryClient
  data: DataProvider
  definitions: Definitions
  times?: Partial<CacheTimes>
}

/**
 * Intervals in milliseconds: batching of changes, throttle of list reloads after inserts and deletes, and debounce with a
 * maximum wait for aggregates.
 */
type CacheTimes = { gatherMs: number; againMs: number; totalMs: number; matchMs: number; restMs: number; sumMs: number }
const cacheTimes: CacheTimes = { gatherMs: 100, againMs: 300, totalMs: 1_000, matchMs: 5_000, restMs: 1_500, sumMs: 5_000 }

/** Part of a list's query key after the resource: see `keys()` of Refine. */
type ListParams = { filters?: readonly CrudFilter[]; from?: string }
type Kind = 'one' | 'list' | 'many'
type Cached = { kind: Kind; resource: string; query: Query }

const gone = new Set([403, 404, 410])
const statusOf = (error: unknown) => (isObject(error) ? error.statusCode : undefined)

/** A query of the data provider; undefined for all others. */
function cachedOf(query: Query): Cached | undefined {
  const [first, , resource, kind] = query.queryKey
  const isKnown = kind === 'one' || kind === 'list' || kind === 'many'
  return first === 'data' && typeof resource === 'string' && isKnown ? { kind, resource, query } : undefined
}

/** An aggregate names its source resources in `meta.live`. */
function isSumOf({ meta }: Query, changed: ReadonlySet<string>): boolean {
  const names: unknown = meta?.live
  return Array.isArray(names) && names.some((name) => changed.has(name))
}

/**
 * Applies live events to the query cache. Changed records and rows are fetched one by one and replaced; a list is reloaded only
 * after inserts or deletes. Queries without an observer are marked stale.
 */
export class LiveCache {
  readonly #options: LiveCacheOptions
  readonly #times: CacheTimes
  readonly #refetches: RefetchTimer
  #gathered = new Map<string, LiveEvent>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #stopped = false

  constructor(options: LiveCacheOptions) {
    this.#options = options
    this.#times = { ...cacheTimes, ...options.times }
    this.#refetches = new RefetchTimer(options.client)
  }

  /** Queues an event; events of one record are merged. */
  take(event: LiveEvent): void {
    for (const name of this.#namesOf(event.resource)) {
      const key = `${name} ${event.id}`
      const known = this.#gathered.get(key)
      // Created, then updated in one batch: still a new row.
      const type = known?.type === 'created' && event.type === 'updated' ? 'created' : event.type
      if (!known || event.version >= known.version) this.#gathered.set(key, { ...event, resource: name, type })
    }
    if (this.#gathered.size > 0) this.#timer ??= setTimeout(() => this.#flush(), this.#times.gatherMs)
  }

  /** Many unnamed changes: what is on screen of these resources is refetched, at intervals while they go on. */
  takeMerged(resources: readonly string[]): void {
    const names = new Set(resources.flatMap((name) => this.#namesOf(name)))
    for (const query of this.#options.client.getQueryCache().getAll()) this.#updateMerged(query, names)
  }

  #updateMerged(query: Query, names: ReadonlySet<string>): void {
    if (this.#stopped) return
    const cached = cachedOf(query)
    // The response in flight may be older than the changes.
    if (cached && query.state.fetchStatus === 'fetching') {
      setTimeout(() => this.#updateMerged(query, names), this.#times.againMs)
      return
    }
    const isOwn = cached && names.has(cached.resource)
    if (isOwn && (cached.kind === 'many' || !query.isActive())) query.invalidate()
    else if (isOwn || (cached && query.isActive() && [...names].some((name) => this.#isBelow(cached, { resource: name }))))
      this.#refetches.plan(query, this.#times.matchMs)
    if (query.isActive() && isSumOf(query, names)) this.#readSum(query)
  }

  /** Refetches everything on screen. */
  reset(): void {
    const { client } = this.#options
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'data' })
    // The server caches aggregates for a moment: an immediate refetch could return data from before the gap.
    for (const query of client.getQueryCache().getAll()) if (query.meta?.live && query.isActive()) this.#readSum(query)
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#refetches.stop()
  }

  /** The live resources over the same table: a client is also a user. */
  #namesOf(name: string): string[] {
    const { definitions } = this.#options
    const table = definitions.get(name)?.subset?.of ?? name
    return [...definitions.values()]
      .filter((each) => each.live && (each.name === table || each.subset?.of === table))
      .map((each) => each.name)
  }

  #flush(): void {
    this.#timer = undefined
    const events = [...this.#gathered.values()]
    this.#gathered = new Map()
    const names = new Set(events.map(({ resource }) => resource))
    for (const query of this.#options.client.getQueryCache().getAll()) {
      const cached = cachedOf(query)
      const own = cached ? events.filter(({ resource }) => resource === cached.resource) : []
      if (cached && own.length > 0) this.#update(cached, own)
      if (query.isActive() && isSumOf(query, names)) this.#readSum(query)
      if (cached && events.some((event) => this.#isBelow(cached, event))) this.#refetches.plan(query, this.#times.matchMs)
    }
  }

  /**
   * True for the history of a record, and for a list below it whose rows have no events of their own (the boards of a rollout);
   * without an `id`, of any record of the resource.
   */
  #isBelow({ query, resource, kind }: Cached, changed: { resource: string; id?: string }): boolean {
    if (kind !== 'list') return false
    const { journal, live } = this.#options.definitions.get(resource) ?? {}
    const { filters = [], from } = paramsOf(query.queryKey)
    const holds = (name: string, value: string) =>
      filters.some((each) => 'field' in each && each.field === name && [each.value].flat().includes(value))
    if (journal && holds(journal.kind, changed.resource) && (changed.id === undefined || holds(journal.id, changed.id)))
      return true
    const path = changed.id === undefined ? `${changed.resource}/` : `${changed.resource}/${changed.id}/`
    return !live && from?.startsWith(path) === true
  }

  #readSum(query: Query): void {
    const { restMs, sumMs } = this.#times
    this.#refetches.planAtRest(query, { restMs, gapMs: sumMs })
  }

  #update(cached: Cached, events: readonly LiveEvent[]): void {
    const { query, kind } = cached
    if (this.#stopped) return
    // The response in flight may be older than the event.
    if (query.state.fetchStatus === 'fetching') {
      setTimeout(() => this.#update(cached, events), this.#times.againMs)
      return
    }
    if (kind === 'many' || !query.isActive()) query.invalidate()
    else if (kind === 'one') void this.#updateRecord(cached, events)
    else void this.#updateList(cached, events)
  }

  async #updateRecord({ query, resource }: Cached, events: readonly LiveEvent[]): Promise<void> {
    const { client, data } = this.#options
    const { queryKey } = query
    const id = String(queryKey[4])
    const event = events.find((each) => each.id === id)
    const known = client.getQueryData<GetOneResponse<BaseRecord>>(queryKey)?.data
    if (!event || (known && event.type !== 'deleted' && !isOutdatedBy(known, event))) return
    try {
      const { data: next } = await data.getOne<BaseRecord>({ resource, id, meta: { quiet: true } })
      client.setQueryData<GetOneResponse<BaseRecord>>(queryKey, (old) =>
        !old || isNotOlder(next, old.data) ? { data: next } : old,
      )
    } catch (error) {
      // The record stays in the cache, because a form may be open on it; the page reports the deletion.
      if (gone.has(Number(statusOf(error))) && error instanceof Error) query.setState({ status: 'error', error })
      else query.invalidate()
    }
  }

  async #updateList({ query, resource }: Cached, events: readonly LiveEvent[]): Promise<void> {
    const { client, data } = this.#options
    const { queryKey } = query
    const { filters = [], from } = paramsOf(queryKey)
    const rows = client.getQueryData<GetListResponse<BaseRecord>>(queryKey)?.data ?? []
    const find = (id: string) => rows.find((row) => String(row.id) === id)
    if (events.some(({ id, type }) => type === 'deleted' || (type === 'created' && !find(id)))) {
      return this.#refetches.plan(query, this.#times.totalMs)
    }
    const strangers = events.some(({ id }) => !find(id))
    // A row that was not listed may match now. Related lists are short, so they are reloaded sooner.
    if (strangers && from !== undefined) this.#refetches.plan(query, this.#times.totalMs)
    else if (strangers && filters.length > 0) this.#refetches.plan(query, this.#times.matchMs)

    const changed = events.flatMap((event) => {
      const row = find(event.id)
      return row && isOutdatedBy(row, event) ? [event.id] : []
    })
    if (changed.length === 0) return
    if (changed.length > maxRows / 2) return this.#refetches.plan(query, this.#times.totalMs)
    const which: CrudFilter = { field: 'id', operator: 'in', value: changed }
    const meta = { quiet: true, ...(from === undefined ? {} : { from }) }
    const pagination = { pageSize: changed.length }
    try {
      const answer = await data.getList<BaseRecord>({ resource, filters: [...filters, which], pagination, meta })
      const fresh = new Map(answer.data.map((row) => [String(row.id), row]))
      client.setQueryData<GetListResponse<BaseRecord>>(queryKey, (old) => old && { ...old, data: withRows(old.data, fresh) })
      // Some rows no longer match the list's filters.
      if (fresh.size < changed.length) this.#refetches.plan(query, this.#times.totalMs)
    } catch {
      query.invalidate()
    }
  }
}

const withRows = (rows: readonly BaseRecord[], fresh: ReadonlyMap<string, BaseRecord>): BaseRecord[] =>
  rows.map((row) => {
    const next = fresh.get(String(row.id))
    return next && isNotOlder(next, row) ? next : row
  })

function paramsOf(queryKey: readonly unknown[]): ListParams {
  const params = queryKey[4]
  if (!isObject(params)) return {}
  const { filters, from } = params
  return { ...(Array.isArray(filters) ? { filters } : {}), ...(typeof from === 'string' ? { from } : {}) }
}
