import type { RouteOptions } from 'fastify'
import { z } from 'zod'
import type { Definitions } from '#schema/definition.ts'
import type { Access } from '#server/caller.ts'
import { problemSchema, schemaNames } from '#server/records/route-schemas.ts'

type Json = Record<string, unknown>
/** What a route says of itself: its schemas are the ones that it is checked by, or, for records, made of the same definitions. */
export type DescribedRoute = Pick<RouteOptions, 'method' | 'url'> & {
  schema: RouteOptions['schema'] | undefined
  access: Access | undefined
  described?: { bodyType: string; body: Json } | undefined
}

const isZod = (value: unknown): value is z.ZodType => value instanceof z.ZodType

/** The JSON Schema of a value; named ones are referred to. */
class Schemas {
  readonly components: Json = {}

  of(schema: unknown): Json {
    if (!isZod(schema)) return typeof schema === 'object' && schema !== null ? { ...schema } : {}
    const name = schemaNames.get(schema)
    if (name === undefined)
      return schema instanceof z.ZodArray ? { type: 'array', items: this.of(schema.element) } : plain(schema)
    this.components[name] ??= plain(schema)
    return { $ref: `#/components/schemas/${name}` }
  }
}

function plain(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return json
}

const propertiesOf = (schema: unknown): [string, Json, boolean][] => {
  if (!isZod(schema)) return []
  const { properties = {}, required = [] } = plain(schema)
  const needed = Array.isArray(required) ? required : []
  return Object.entries(properties as Record<string, Json>).map(([name, json]) => [name, json, needed.includes(name)])
}

const parameter =
  (place: 'path' | 'query') =>
  ([name, { description, ...schema }, required]: [string, Json, boolean]) => ({
    name,
    in: place,
    required: place === 'path' || required,
    ...(description === undefined ? {} : { description }),
    schema,
  })

const pathNames = (url: string) => [...url.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')

function parametersOf(url: string, method: string, schema: Json): Json[] {
  const described = propertiesOf(schema.params)
  const path = pathNames(url).map(
    (name) => described.find(([own]) => own === name) ?? ([name, { type: 'string' }, true] as const),
  )
  const key = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 200 } }
  return [
    ...path.map(([name, json, required]) => parameter('path')([name, json, required])),
    ...propertiesOf(schema.querystring).map(parameter('query')),
    ...(method === 'POST' ? [{ ...key, description: 'The same key with the same body gives the first answer again' }] : []),
  ]
}

const meaningOf: Record<string, string> = {
  200: 'Done',
  201: 'Made',
  202: 'Taken',
  204: 'Done, nothing to tell',
  206: 'A part',
}
const total = { 'X-Total-Count': { description: 'How many rows there are in all', schema: { type: 'integer', minimum: 0 } } }

function answerOf(status: string, schema: unknown, schemas: Schemas): Json {
  const description = meaningOf[status] ?? 'Answer'
  if (status === '204' || schema instanceof z.ZodNull) return { description }
  const headers = schema instanceof z.ZodArray ? { headers: total } : {}
  return { description, ...headers, content: { 'application/json': { schema: schemas.of(schema) } } }
}

function answersOf(schema: Json, schemas: Schemas): Json {
  const declared = Object.entries((schema.response ?? {}) as Json)
  const own = declared.length > 0 ? declared : [['200', {}] as const]
  const refusal = { description: 'Refused', content: { 'application/json': { schema: schemas.of(problemSchema) } } }
  return { ...Object.fromEntries(own.map(([status, answer]) => [status, answerOf(status, answer, schemas)])), default: refusal }
}

function bodyOf(schema: Json, described: DescribedRoute['described'], schemas: Schemas): Json {
  if (described) return { requestBody: { required: true, content: { [described.bodyType]: { schema: described.body } } } }
  if (schema.body === undefined) return {}
  const required = !isZod(schema.body) || !schema.body.safeParse({}).success
  return { requestBody: { required, content: { 'application/json': { schema: schemas.of(schema.body) } } } }
}

const rolesOf = (access: Access | undefined) =>
  access === undefined || typeof access === 'string' ? [access ?? 'public'] : [...access]

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
    ...(description === undefined ? {} : { description }),
    tags: Array.isArray(tags) ? tags : [tag],
    'x-roles': rolesOf(route.access),
    ...(route.access === 'public' ? { security: [] } : {}),
    parameters: parametersOf(path, method, schema),
    ...bodyOf(schema, route.described, schemas),
    responses: answersOf(schema, schemas),
  }
}

/** Two calls of the same name get the paths that tell them apart. */
function distinct(operations: readonly { method: string; path: string; operation: Json }[]) {
  const names = operations.map(({ operation }) => operation.operationId)
  return operations.map((one) => {
    const isShared = names.filter((name) => name === one.operation.operationId).length > 1
    return isShared ? { ...one, operation: { ...one.operation, operationId: nameOf(one.method, one.path) } } : one
  })
}

const about = [
  'Lists take `_start` and `_end` (half-open), `_sort` and `_order`, `q`, and one parameter per field and operator: `field`, `field_ne`,',
  '`field_gte`, `field_lte`, `field_like`, `field_null`. The answer is an array; `X-Total-Count` tells how many rows there are in all.',
  'Changes carry the `version` that was read. `Accept-Language: en` or `ru` chooses the language of messages.',
].join(' ')

const methodsShown = new Set(['GET', 'POST', 'PUT', 'DELETE'])

/** The description of the API as OpenAPI 3.1, made of the routes that stand. `prefix` is where they are mounted. */
export function openApi(
  routes: readonly DescribedRoute[],
  { definitions, prefix }: { definitions: Definitions; prefix: string },
): Json {
  const schemas = new Schemas()
  const shownRoutes = routes.filter(({ schema }) => !Reflect.get(Object(schema), 'hide'))
  const operations = shownRoutes.flatMap((route) =>
    [route.method]
      .flat()
      .filter((method) => methodsShown.has(method))
      .map((method) => {
        const path = route.url.startsWith(prefix) ? route.url.slice(prefix.length) : route.url
        return { method, path, operation: operationOf(route, { method, path }, schemas) }
      }),
  )
  const paths: Record<string, Json> = {}
  for (const { method, path, operation } of distinct(operations)) {
    const shown = path.replace(/:(\w+)/g, '{$1}')
    paths[shown] = { ...paths[shown], [method.toLowerCase()]: operation }
  }
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags as string[]))]
  return {
    openapi: '3.1.0',
    info: { title: 'ESS console API', version: '1', description: about },
    servers: [{ url: prefix }],
    tags: tags.map((name) => ({
      name,
      ...(definitions.has(name) ? { description: definitions.get(name)?.label.many[0] } : {}),
    })),
    security: [{ session: [] }],
    paths,
    components: {
      schemas: schemas.components,
      securitySchemes: { session: { type: 'http', scheme: 'bearer', description: 'The accessToken of POST /auth/login' } },
    },
  }
}
