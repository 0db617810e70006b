import type { AxiosInstance } from 'axios'
import { callOf, type Definitions } from '#schema/definition.ts'
import type { Action, AnyResource, Method } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { type CallOptions, requestBody, requestConfig } from './call-options.ts'
import { fillPath } from './request-path.ts'

/** What an action is run on. `record` is the page's, `row` the line of a related list, `from` the answer that filled the form. */
export type ActionRequest = CallOptions & {
  resource: string
  action: string
  id?: string | undefined
  values?: Readonly<Record<string, unknown>> | undefined
  record?: unknown
  row?: unknown
  from?: unknown
  user?: unknown
  /** Its failure is not announced: the caller shows it. */
  quiet?: boolean
}

export type ActionCall = { method: Method; path: string; body: FormData | Record<string, unknown> | undefined }

function definitionOf(
  definitions: Definitions,
  { resource, action }: ActionRequest,
): { resource: AnyResource; action: Action } {
  const definition = definitions.get(resource)
  const found = definition?.actions?.[action]
  if (!definition || !found) throw new Error(`There is no action “${action}” of “${resource}”`)
  return { resource: definition, action: found }
}

/** `$row.userId` → that field of the row; a constant → itself. */
function fillTemplate(template: unknown, request: ActionRequest): unknown {
  if (typeof template !== 'string' || !template.startsWith('$')) return template
  if (template === '$now') return new Date().toISOString()
  const { record, row, from, user, values: form } = request
  return valueAt({ record, row, from, user, form }, template.slice(1)) ?? null
}

/** The call of an action: method, path with its id, form values and what the definition adds to them. */
export function actionCall(definitions: Definitions, request: ActionRequest): ActionCall {
  const { resource, action } = definitionOf(definitions, request)
  const [method, path] = callOf(resource, request.action, action)
  const fixed = Object.entries(action.body ?? {}).map(([name, template]) => [name, fillTemplate(template, request)])
  return {
    method,
    path: fillPath(path, { id: request.id }),
    body: requestBody({ ...request.values, ...Object.fromEntries(fixed) }),
  }
}

export type RunAction = (request: ActionRequest) => Promise<unknown>

/** Runs actions of definitions over the wire; resolves with the answer's body, rejects with Refine's HttpError. */
export function createRunAction({ http, definitions }: { http: AxiosInstance; definitions: Definitions }): RunAction {
  return async (request) => {
    const { method, path, body } = actionCall(definitions, request)
    const { data } = await http.request<unknown>({
      method,
      url: path,
      data: body,
      ...requestConfig(request),
      ...(request.quiet ? { quiet: true } : {}),
    })
    return data
  }
}
