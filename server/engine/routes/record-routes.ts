import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { allFields, pathOf, rolesFor } from '#schema/definition.ts'
import { labelAt } from '#schema/facts/label-at.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource, Method, Verb } from '#schema/resource.ts'
import { type Role, roles } from '#schema/roles.ts'
import { type Access, callerOf } from '#server/base/caller.ts'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { onlyOnce } from '#server/engine/http/idempotency.ts'
import { answerList } from '#server/engine/records/answer-list.ts'
import { createRecord } from '#server/engine/records/create-record.ts'
import { deleteRecord } from '#server/engine/records/delete-record.ts'
import { plausible, showRecord } from '#server/engine/records/show-record.ts'
import { updateRecord } from '#server/engine/records/update-record.ts'
import { type Engine, transact } from '#server/engine/records/work.ts'
import { logRead } from './logged-reads.ts'
import { createBody, editBody, idParams, listAnswer, listQuerySchema, recordAnswer } from './route-schemas.ts'
import { type RouteTable, urlOf } from './route-table.ts'

/** One call and its definitions: a base and its subsets may share a path. */
export type Shared = { verb: Verb; path: string; resource: AnyResource; resources: readonly AnyResource[] }

const methodOf: Record<Verb, Method> = { list: 'GET', show: 'GET', create: 'POST', edit: 'PUT', delete: 'DELETE' }

/** The engine validates by role with all faults at once; route schemas are documentation only. */
export const unchecked = {
  validatorCompiler: () => (value: unknown) => ({ value }),
  serializerCompiler: () => (value: unknown) => JSON.stringify(value),
}
/** A route whose engine validates and serializes; its schema is documentation. */
export const asAnswered = { serializerCompiler: unchecked.serializerCompiler }

/** The calls of one verb, with the definitions that share each of them. */
export function sharedCalls(definitions: Iterable<AnyResource>, verb: Verb): Shared[] {
  const calls = new Map<string, AnyResource[]>()
  for (const resource of definitions) {
    const path = pathOf(resource, verb)
    if (path !== undefined) calls.set(path, [...(calls.get(path) ?? []), resource])
  }
  return [...calls].flatMap(([path, resources]) => {
    const [resource] = resources
    return resource ? [{ verb, path, resource, resources }] : []
  })
}

/** Roles of a call; `user` when any user has own rows. Undefined when no role may call it. */
export function accessOf({ catalog }: Engine, { verb, resources }: Shared): Access | undefined {
  const owns = resources.some(({ name }) => {
    const own = catalog.rules[name]?.own
    return (verb === 'show' && own) || (verb === 'edit' && own?.edit)
  })
  const allowed = roles.filter((role) => resources.some((resource) => rolesFor(resource, verb).includes(role)))
  if (owns) return 'user'
  return allowed.length > 0 ? allowed : undefined
}

const idOf = (request: FastifyRequest): string => {
  const id: unknown = isObject(request.params) ? Reflect.get(request.params, 'id') : ''
  return plausible(String(id))
}

type Handler = (engine: Engine, shared: Shared) => (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

const mayList = (resource: AnyResource, role: Role) => rolesFor(resource, 'list').includes(role)

const handlers: Record<Verb, Handler> = {
  list:
    (engine, { resources }) =>
    (request, reply) => {
      const { role } = callerOf(request)
      const resource = resources.find((one) => mayList(one, role))
      if (!resource) throw problem('forbidden')
      return answerList(engine, { resource }, request, reply)
    },
  show:
    (engine, { resource, resources }) =>
    async (request) => {
      const record = await showRecord(engine, { resource, resources, id: idOf(request), caller: callerOf(request) })
      await logRead(engine, request, { resource, record })
      return record
    },
  create:
    (engine, { resources }) =>
    async (request, reply) => {
      const { status, body } = await transact(engine, request, (work) =>
        onlyOnce(work, { request }, async () => ({
          status: 201,
          body: await createRecord(engine, { resources, body: request.body }, work),
        })),
      )
      return reply.code(status).send(body)
    },
  edit:
    (engine, { resource, resources }) =>
    (request) =>
      transact(engine, request, (work) =>
        updateRecord(engine, { resource, resources, id: idOf(request), body: request.body }, work),
      ),
  delete:
    (engine, { resource, resources }) =>
    async (request, reply) => {
      const { version, reason } = deletion(request)
      const call = { resource, resources, id: idOf(request), version, reason }
      await transact(engine, request, (work) => deleteRecord(engine, call, work))
      return reply.code(204).send()
    },
}

/** Optional parameters of a deletion, from body or query. */
function deletion(request: FastifyRequest): { version?: unknown; reason?: unknown } {
  const body = isObject(request.body) ? request.body : {}
  const { version, reason, ...others } = { ...Object(request.query), ...body }
  const unknown = Object.keys(others).map((key) => ({ path: key, code: 'unknown-key', params: { key } }))
  const number = typeof version === 'string' && /^\d{1,9}$/.test(version) ? Number(version) : version
  const wrong = number === undefined || Number.isInteger(number) ? [] : [{ path: 'version', code: 'not-integer' }]
  if (unknown.length + wrong.length > 0) throw problem('invalid', { faults: [...unknown, ...wrong] })
  return { version: number, reason }
}

const words: Record<Verb, (resource: AnyResource) => string> = {
  list: ({ label }) => `List: ${label.many[0]}`,
  show: ({ label }) => `Show: ${label.one[0]}`,
  create: ({ label }) => `Create: ${label.one[0]}`,
  edit: ({ label }) => `Edit: ${label.one[0]}`,
  delete: ({ label }) => `Delete: ${label.one[0]}`,
}

const deleteQuery = z.object({ version: z.int().optional(), reason: z.string().max(250).optional() })

const schemaOf: Record<Verb, (resources: readonly AnyResource[], resource: AnyResource) => object> = {
  list: (_, resource) => ({ querystring: listQuerySchema(resource), response: { 200: listAnswer(resource) } }),
  show: (resources) => ({ params: idParams, response: { 200: recordAnswer(resources) } }),
  create: (resources) => ({ body: createBody(resources), response: { 201: recordAnswer(resources) } }),
  edit: (resources) => ({ params: idParams, body: editBody(resources), response: { 200: recordAnswer(resources) } }),
  delete: () => ({ params: idParams, querystring: deleteQuery, response: { 204: z.null() } }),
}

function addRoute(api: Api, engine: Engine, shared: Shared, access: Access) {
  const { verb, path, resource, resources } = shared
  const tags = [resource.name]
  api.route({
    method: methodOf[verb],
    url: urlOf(path),
    config: {
      access,
      audit: { action: verb === 'edit' ? 'update' : verb, entityType: resource.name },
      inputLabel: (path) => labelAt(allFields(resource), path),
    },
    schema: {
      summary: words[verb](resource),
      operationId: `${verb} ${resource.name}`,
      tags,
      ...schemaOf[verb](resources, resource),
    },
    ...unchecked,
    handler: handlers[verb](engine, shared),
  })
}

/** Routes for list, show, create, edit and delete of every definition, where a role may use them. */
export function addRecordRoutes(api: Api, engine: Engine, table: RouteTable): void {
  for (const verb of ['list', 'show', 'create', 'edit', 'delete'] as const) {
    for (const shared of sharedCalls(engine.catalog.definitions.values(), verb)) {
      const access = accessOf(engine, shared)
      if (access && !table.isTaken(methodOf[verb], shared.path)) addRoute(api, engine, shared, access)
    }
  }
}
