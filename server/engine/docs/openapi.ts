import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RouteOptions } from 'fastify'
import type { Definitions } from '#schema/definition.ts'
import type { Access } from '#server/base/caller.ts'
import { productName } from '#server/base/product.ts'
import { answersOf } from './described-answers.ts'
import { isZod, type Json, plain, Schemas } from './described-schemas.ts'

/** Declaration of a route; its schemas are the validating ones, or derived from the same definitions. */
export type DescribedRoute = Pick<RouteOptions, 'method' | 'url'> & {
  schema: RouteOptions['schema'] | undefined
  access: Access | undefined
  deviceKey?: true | undefined
  described?: { bodyType: string; body: Json } | undefined
  readHeaders?: Readonly<Record<string, string>> | undefined
}

const propertiesOf = (schema: unknown): [string, Json, boolean][] => {
  if (!isZod(schema)) return []
  const { properties = {}, required = [] } = plain(schema)
  const needed = Array.isArray(required) ? required : []
  return Object.entries(properties as Record<string, Json>).map(([name, json]) => [name, json, needed.includes(name)])
}

const usualMeaning: Readonly<Record<string, string>> = {
  id: 'The id of the record',
  userId: 'The id of the user',
  key: 'The key of the entry',
  chemistry: 'The chemistry of the cells, like LFP',
  controlPcbId: 'The id of the board',
  essId: 'The id of the ESS',
  firmwareId: 'The id of the firmware',
  version: 'The version that was read; another one now is a conflict',
  reason: 'Why, for the audit log',
  q: 'Words that each stand in one of the searched fields; in double quotes they are looked for as they stand',
  _start: 'First row',
  _end: 'Row after the last one',
  format: 'The kind of file',
  resolution: 'Every sample, or buckets of this length',
  fileName: 'What the file is called, for the history of jobs',
}

const parameter =
  (place: 'path' | 'query') =>
  ([name, { description = usualMeaning[name], ...schema }, required]: [string, Json, boolean]) => ({
    name,
    in: place,
    required: place === 'path' || required,
    ...(description === undefined ? {} : { description }),
    schema,
  })

const pathNames = (url: string) => [...url.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')

const header = (name: string, description: string, schema: Json = {}) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
})

/** Answers are kept for an account: a call that needs none has no answer again. */
const onceKey = header('Idempotency-Key', 'The same key with the same body gives the first answer again', { maxLength: 200 })

function parametersOf({ access, schema: given, readHeaders = {} }: DescribedRoute, url: string, method: string): Json[] {
  const schema: Json = { ...given }
  const described = propertiesOf(schema.params)
  const path = pathNames(url).map(
    (name) => described.find(([own]) => own === name) ?? ([name, { type: 'string' }, true] as const),
  )
  return [
    ...path.map(([name, json, required]) => parameter('path')([name, json, required])),
    ...propertiesOf(schema.querystring).map(parameter('query')),
    ...Object.entries(readHeaders).map(([name, meaning]) => header(name, meaning)),
    ...(method === 'POST' && access !== undefined && access !== 'public' ? [onceKey] : []),
  ]
}

function bodyOf(schema: Json, described: DescribedRoute['described'], schemas: Schemas): Json {
  if (described) return { requestBody: { required: true, content: { [described.bodyType]: { schema: described.body } } } }
  if (schema.body === undefined) return {}
  const required = !isZod(schema.body) || !schema.body.safeParse({}).success
  return { requestBody: { required, content: { 'application/json': { schema: schemas.of(schema.body) } } } }
}

const rolesOf = (access: Access | undefined) =>
  access === undefined || typeof access === 'string' ? [access ?? 'public'] : [...access]

/** The access of a route as a sentence. */
function callersOf({ access, deviceKey }: Pick<DescribedRoute, 'access' | 'deviceKey'>): string {
  if (deviceKey) return 'Boards call it, each by its own key.'
  if (access === undefined || access === 'public') return 'Anybody may call it, signed in or not.'
  return access === 'user' ? 'Everybody who is signed in may call it.' : `For ${[...access].join(', ')}.`
}

const camel = (text: string) =>
  text
    .replace(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase())
    .replace(/^./, (letter) => letter.toLowerCase())

/** `GET /ess/:id/last-telemetry` → `getEssIdLastTelemetry`. */
const nameOf = (method: string, url: string) => camel(`${method.toLowerCase()} ${url}`)

function operationOf(route: DescribedRoute, { method, path }: { method: string; path: string }, schemas: Schemas): Json {
  const schema: Json = { ...route.schema }
  const { summary, description, operationId, tags } = schema
  const tag = path.split('/')[1] ?? 'service'
  return {
    operationId: camel(String(operationId ?? nameOf(method, path))),
    ...(summary === undefined ? {} : { summary }),
    description: `${description === undefined ? '' : `${String(description)} `}${callersOf(route)}`,
    tags: Array.isArray(tags) ? tags : [tag],
    'x-roles': rolesOf(route.access),
    ...(route.deviceKey ? { security: [{ deviceKey: [] }] } : route.access === 'public' ? { security: [] } : {}),
    parameters: parametersOf(route, path, method),
    ...bodyOf(schema, route.described, schemas),
    responses: answersOf(schema, schemas),
  }
}

/** Resolves duplicate operation ids by path. */
function distinct(operations: readonly { method: string; path: string; operation: Json }[]) {
  const names = operations.map(({ operation }) => operation.operationId)
  return operations.map((one) => {
    const isShared = names.filter((name) => name === one.operation.operationId).length > 1
    return isShared ? { ...one, operation: { ...one.operation, operationId: nameOf(one.method, one.path) } } : one
  })
}

const about = [
  'Sign in by `POST /auth/login` and send its `accessToken` as `Authorization: Bearer …`. On this page the call is enough: it then',
  'shows the calls of the role. A session of the console holds here, too. Boards send their key as `X-Device-Key`, here by *Authorize*.',
  'Lists take `_start` and `_end` (half-open), `_sort` and `_order`, `q`, and one parameter per field and operator: `field`, `field_ne`,',
  '`field_gte`, `field_lte`, `field_like`, `field_null`. The answer is an array; `X-Total-Count` tells how many rows there are in all.',
  'Reads of a session carry `X-Event-Id`: `GET /events` with it as `Last-Event-ID` tells what has changed since.',
  'Changes carry the `version` that was read. `Accept-Language: en` or `ru` chooses the language of messages.',
].join(' ')

const serviceTags: Readonly<Record<string, string>> = {
  dashboard: 'The first page',
  device: 'Browsers that get notifications',
  filling: 'First data: imports, demo fleet, mails that were not sent',
  'device-api': 'What control boards call, by their keys',
  links: 'What links in mails lead to',
  live: 'Changes as they happen',
  service: 'The server itself',
  session: 'Signing in and out',
  support: 'Messages to the support',
  telemetry: 'Series of samples',
}

const methodsShown = new Set(['GET', 'POST', 'PUT', 'DELETE'])

/**
 * OpenAPI 3.1 from the registered routes. `prefix` is their mount path. The schemas of all routes take a second or more: other calls
 * get their turn after each route.
 */
export async function openApi(
  routes: readonly DescribedRoute[],
  { definitions, prefix }: { definitions: Definitions; prefix: string },
): Promise<Json> {
  const schemas = new Schemas()
  const shownRoutes = routes.filter(({ schema }) => !Reflect.get(Object(schema), 'hide'))
  const operations: { method: string; path: string; operation: Json }[] = []
  for (const route of shownRoutes) {
    const path = route.url.startsWith(prefix) ? route.url.slice(prefix.length) : route.url
    for (const method of [route.method].flat().filter((each) => methodsShown.has(each)))
      operations.push({ method, path, operation: operationOf(route, { method, path }, schemas) })
    await nextTurn()
  }
  const paths: Record<string, Json> = {}
  for (const { method, path, operation } of distinct(operations)) {
    const shown = path.replace(/:(\w+)/g, '{$1}')
    paths[shown] = { ...paths[shown], [method.toLowerCase()]: operation }
  }
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags as string[]))].toSorted()
  return {
    openapi: '3.1.0',
    info: { title: `${productName} API`, version: '1', description: about, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: prefix }],
    tags: tags.map((name) => ({ name, description: definitions.get(name)?.label.many[0] ?? serviceTags[name] ?? name })),
    security: [{ session: [] }],
    paths,
    components: {
      schemas: schemas.components,
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'The accessToken of POST /auth/login' },
        deviceKey: { type: 'apiKey', in: 'header', name: 'X-Device-Key', description: 'The key of a board' },
      },
    },
  }
}
