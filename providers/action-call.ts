import { callOf, type Definitions } from '#schema/definition.ts'
import { presentIso } from '#schema/format/present-time.ts'
import type { Action, AnyResource, Method } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import type { ActionRequest } from '#schema/wire/calls.ts'
import { requestBody } from './call-options.ts'
import { fillPath } from './request-path.ts'

/** Type guard: `meta` may also contain query parameters of the page. */
export function isActionRequest(value: unknown): value is ActionRequest {
  return typeof valueAt(value, 'resource') === 'string' && typeof valueAt(value, 'action') === 'string'
}

type ActionCall = { method: Lowercase<Method>; path: string; body: FormData | Record<string, unknown> | undefined }

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
function fillTemplate(template: unknown, { record, row, from, user }: ActionRequest, form: unknown): unknown {
  if (typeof template !== 'string' || !template.startsWith('$')) return template
  if (template === '$now') return presentIso()
  if (template === '$zone') return Intl.DateTimeFormat().resolvedOptions().timeZone
  return valueAt({ record, row, from, user, form }, template.slice(1)) ?? null
}

const lowerCase = <T extends string>(text: T) => text.toLowerCase() as Lowercase<T>

/** HTTP call of an action: method, path with its id, and a body of form values and `body` templates. */
export function actionCall(definitions: Definitions, request: ActionRequest, values: object = {}): ActionCall {
  const { resource, action } = definitionOf(definitions, request)
  const [method, path] = callOf(resource, request.action, action)
  const fixed = Object.entries(action.body ?? {}).map(([name, template]) => [name, fillTemplate(template, request, values)])
  return {
    method: lowerCase(method),
    path: fillPath(path, { id: request.id }),
    body: requestBody({ ...values, ...Object.fromEntries(fixed) }),
  }
}
