import type {
  BaseKey,
  BaseRecord,
  CreateParams,
  CustomParams,
  DataProvider,
  DeleteOneParams,
  GetListParams,
  GetManyParams,
  GetOneParams,
  MetaQuery,
  UpdateParams,
} from '@refinedev/core'
import { type Definitions, pathOf } from '#schema/definition.ts'
import { type ListQuery, maxRows, wireQuery } from '#schema/list-query.ts'
import type { AnyResource, Verb } from '#schema/resource.ts'
import { actionCall, isActionRequest } from './action-call.ts'
import { type CallOptions, callOptions, requestBody } from './call-options.ts'
import type { LazyClient } from './client.ts'
import type { FirstAnswers } from './early/early-answers.ts'
import { listSources } from './list-source.ts'
import { fillPath } from './request-path.ts'
import { serializeParams } from './serialize-params.ts'
import { listQueryOf, totalHead, totalOf } from './wire-list.ts'

/**
 * Update method: by contract a PUT changes only the given fields; a plain REST server would drop the others, so it gets a
 * PATCH.
 */
export type UpdateMethod = 'put' | 'patch'

export type DataProviderOptions = {
  client: LazyClient
  definitions: Definitions
  apiUrl?: string
  updateMethod?: UpdateMethod | undefined
  first?: FirstAnswers
}

const isRows = <T>(data: object): data is T[] => Array.isArray(data)
/** False for an empty early answer: the client repeats the call and reports an unreadable one. */
const isRecord = <T>(data: object | undefined): data is T & object =>
  data !== undefined && !Array.isArray(data) && Object.keys(data).length > 0

const withoutPaging = { mode: 'off' } as const
const presetsOf = (resource: AnyResource | undefined) => resource?.subset?.where ?? {}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
}

/**
 * Refine's data provider over `@refinedev/simple-rest`: paths, presets and the list's query come from the definitions.
 * `custom` with `meta.action` runs an action. Names without a definition are taken as plain REST collections.
 */
export function createDataProvider({
  client,
  definitions,
  apiUrl = '',
  updateMethod = 'put',
  first = async () => undefined,
}: DataProviderOptions): DataProvider {
  const isListSource = listSources(definitions)
  const rest = async (meta: MetaQuery | undefined, shape?: CallOptions['shape'], list?: ListQuery) =>
    (await client()).rest(apiUrl, { ...callOptions(meta), shape }, list)

  function path(name: string, verb: Verb, id?: BaseKey): string {
    const resource = definitions.get(name)
    const fallback = verb === 'list' || verb === 'create' ? name : `${name}/{id}`
    const template = resource ? pathOf(resource, verb) : fallback
    if (!template) throw new Error(`There is no call to ${verb} “${name}”`)
    return fillPath(template, { id })
  }

  function listPath(name: string, meta: MetaQuery | undefined): string {
    const from: unknown = meta?.from
    return typeof from === 'string' && isListSource(from) ? from : path(name, 'list')
  }

  async function getList<T extends BaseRecord>({ resource, meta, ...params }: GetListParams) {
    const source = listPath(resource, meta)
    const query = listQueryOf(params)
    const url = `${source}${source.includes('?') ? '&' : '?'}${wireQuery(query)}`
    const early = await first(url)
    if (early && isRows<T>(early.data)) {
      return { data: early.data, total: totalOf(query, early.data, early.headers.get(totalHead)) }
    }
    return await (await rest(meta, 'rows', query)).getList<T>({ resource: url, pagination: withoutPaging })
  }

  async function firstRecord<T>(path: string): Promise<T | undefined> {
    const data = (await first(path))?.data
    return isRecord<T>(data) ? data : undefined
  }

  return {
    getApiUrl: () => apiUrl,
    getList,
    getOne: async <T extends BaseRecord>({ resource, id, meta }: GetOneParams) => {
      const address = path(resource, 'show', id)
      const early = await firstRecord<T>(address)
      if (early) return { data: early }
      const [collection, last] = splitLast(address)
      return await (await rest(meta, 'record')).getOne<T>({ resource: collection, id: last })
    },
    getMany: async <T extends BaseRecord>({ resource, ids, meta }: GetManyParams) => {
      const pages = chunksOf([...new Set(ids.map(String))], maxRows).map((part) =>
        getList<T>({
          resource,
          filters: [{ field: 'id', operator: 'in', value: part }],
          pagination: { pageSize: part.length },
          ...(meta ? { meta } : {}),
        }),
      )
      return { data: (await Promise.all(pages)).flatMap(({ data }) => data) }
    },
    create: async <T extends BaseRecord, V>({ resource, variables, meta }: CreateParams<V>) => {
      const body = requestBody({ ...variables, ...presetsOf(definitions.get(resource)) })
      return await (await rest(meta, 'record')).create<T>({ resource: path(resource, 'create'), variables: body ?? {} })
    },
    update: async <T extends BaseRecord, V>({ resource, id, variables, meta }: UpdateParams<V>) => {
      const [collection, last] = splitLast(path(resource, 'edit', id))
      return await (await rest(meta, 'record')).update<T, V>({
        resource: collection,
        id: last,
        variables,
        meta: { method: updateMethod },
      })
    },
    deleteOne: async <T extends BaseRecord, V>({ resource, id, variables, meta }: DeleteOneParams<V>) => {
      const [collection, last] = splitLast(path(resource, 'delete', id))
      return await (await rest(meta)).deleteOne<T, V>({
        resource: collection,
        id: last,
        ...(variables ? { variables } : {}),
      })
    },
    custom: async <T extends BaseRecord, Q, P>({ url, method, query, payload, meta }: CustomParams<Q, P>) => {
      // Only for a call without a URL: a page's query parameters end up in the `meta` of every call.
      if (url === '' && isActionRequest(meta?.action)) {
        const { path, method, body } = actionCall(definitions, meta.action, { ...payload })
        return await (await rest(meta)).custom<T>({ url: path, method, ...(body ? { payload: body } : {}) })
      }
      const address = query ? `${url}?${serializeParams({ ...query })}` : url
      const early = method === 'get' ? await firstRecord<T>(address) : undefined
      if (early) return { data: early }
      return await (await rest(meta)).custom<T, Q, P>({
        // simple-rest passes the query on with GET only.
        ...(method === 'get' ? { url, ...(query ? { query } : {}) } : { url: address }),
        method,
        ...(payload ? { payload } : {}),
      })
    },
  }
}

/** simple-rest joins a collection and an id with a slash; paths of the contract may continue after the id. */
function splitLast(path: string): [collection: string, last: string] {
  const slash = path.lastIndexOf('/')
  return [path.slice(0, slash), path.slice(slash + 1)]
}
