import { z } from 'zod'
import { allFields, callOf, rolesForAction } from '#schema/definition.ts'
import { labelAt } from '#schema/facts/label-at.ts'
import type { Method } from '#schema/resource.ts'
import { type Role, roles } from '#schema/roles.ts'
import { say } from '#schema/words.ts'
import type { Api } from '#server/base/context.ts'
import { onlyOnce } from '#server/engine/http/idempotency.ts'
import { plausible } from '#server/engine/records/show-record.ts'
import { type Engine, transact } from '#server/engine/records/work.ts'
import { unchecked } from '#server/engine/routes/record-routes.ts'
import { actionBody, idParams, recordAnswer } from '#server/engine/routes/route-schemas.ts'
import { type RouteTable, urlOf } from '#server/engine/routes/route-table.ts'
import type { Candidate } from './action-values.ts'
import { type ActionRequest, actionRule, runAction } from './run-action.ts'

type Call = { method: Method; path: string; candidates: Candidate[] }

/** Actions grouped by call; those that share a call differ in the constants of their bodies. */
function actionCalls({ catalog }: Engine): Call[] {
  const calls = new Map<string, Call>()
  for (const resource of catalog.definitions.values()) {
    for (const [name, action] of Object.entries(resource.actions ?? {})) {
      // The call exists as an action of the resource that it changes.
      if (action.through) continue
      const [method, path] = callOf(resource, name, action)
      const call = calls.get(`${method} ${path}`) ?? { method, path, candidates: [] }
      call.candidates.push({ resource, name, action })
      calls.set(`${method} ${path}`, call)
    }
  }
  return [...calls.values()]
}

const rolesOf = ({ candidates }: Call): Role[] =>
  roles.filter((role) => candidates.some(({ resource, action }) => rolesForAction(resource, action).includes(role)))

const idOf = (params: unknown): string | undefined => {
  const id: unknown = Reflect.get(Object(params), 'id')
  return id === undefined ? undefined : plausible(String(id))
}

const anything = z.unknown().meta({ description: 'What the action has to say' })

/** Responses by status: the changed record, or those that the rules declare. */
function answersOf(engine: Engine, { path, candidates }: Call): Record<number, z.ZodType> {
  const { catalog } = engine
  return Object.fromEntries(
    candidates.flatMap((candidate): [number, z.ZodType][] => {
      const { status, makes } = actionRule(engine, candidate) ?? { status: 200 as const }
      const { reveals } = candidate.action
      if (reveals) return [[status, z.object({ [reveals.value]: z.string() })]]
      if (!path.includes('{id}'))
        return [
          [status === 200 ? 204 : status, z.null()],
          [200, anything],
        ]
      if (status === 204) return [[status, z.null()]]
      const made = catalog.definitions.get(makes ?? '')
      const isOwn = status === 202
      return [[status, isOwn ? anything : recordAnswer([made ?? candidate.resource])]]
    }),
  )
}

/** Additional body fields of actions with a guard. */
function guardText(candidates: readonly Candidate[]): { description?: string } {
  const texts = candidates.flatMap(({ action: { guard } }) =>
    guard
      ? `Where a guarded value of \`${guard.group}\` changes, \`${guard.confirm}\` must be the \`${guard.equals}\` of the record; \`${guard.fields}\` in the answer of the GET names them.`
      : [],
  )
  return texts.length > 0 ? { description: texts.join(' ') } : {}
}

/** Idempotent responses are stored for replay; one with a secret must not be. */
const isSecret = ({ candidates }: Call) => candidates.some(({ action }) => action.reveals)

function addAction(api: Api, engine: Engine, call: Call, access: readonly Role[]) {
  const { method, path, candidates } = call
  const [first] = candidates
  if (!first || method === 'GET') return
  const names = candidates.map(({ name }) => name).join(', ')
  const deed = [...new Set(candidates.map(({ name }) => name))].join(', ')
  const fields = Object.assign({}, allFields(first.resource), ...candidates.map(({ action }) => action.form))
  const about = path.includes('{id}') ? { params: idParams } : {}
  api.route({
    method,
    url: urlOf(path),
    config: {
      access,
      audit: { action: deed, entityType: first.resource.name },
      inputLabel: (path) => labelAt(fields, path),
    },
    schema: {
      summary: candidates.map(({ action }) => say(action.label, 'en')).join(', '),
      operationId: `${names} ${first.resource.name}`,
      tags: [first.resource.name],
      ...guardText(candidates),
      ...about,
      body: actionBody(
        candidates.map((candidate) => ({ action: candidate.action, oneOf: actionRule(engine, candidate)?.oneOf })),
      ),
      response: answersOf(engine, call),
    },
    ...unchecked,
    handler: async (request, reply) => {
      const asked: ActionRequest = { candidates, id: idOf(request.params), request }
      const { status, body } = await transact(engine, request, (work) => {
        const act = () => runAction(engine, asked, work)
        return isSecret(call) ? act() : onlyOnce(work, { request }, act)
      })
      return reply.code(status).send(body)
    },
  })
}

/** Registers a route for every action of every definition, with the roles that may run it. */
export function addActionRoutes(api: Api, engine: Engine, table: RouteTable): void {
  for (const call of actionCalls(engine)) {
    const access = rolesOf(call)
    if (access.length > 0 && !table.isTaken(call.method, call.path)) addAction(api, engine, call, access)
  }
}
