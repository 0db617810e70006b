import type { FastifyRequest } from 'fastify'
import { rolesFor } from '#schema/definition.ts'
import type { Fields } from '#schema/field-types.ts'
import { minuteMs } from '#schema/format/durations.ts'
import { createSchema, writableFields } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Role, roles } from '#schema/roles.ts'
import { outlookPath, outlookSchema } from '#schema/wire/outlook.ts'
import type { Api } from '#server/base/context.ts'
import { checkBody } from '#server/engine/records/check-body.ts'
import type { ResourceRules, Work } from '#server/engine/records/resource-rules.ts'
import { type Engine, withoutTransaction } from '#server/engine/records/work.ts'
import { unchecked } from './record-routes.ts'
import { urlOf } from './route-table.ts'

const kib = 1024
/** The form asks debounced while typing. */
const limits = { bodyLimit: 64 * kib, rateLimit: { max: 120, timeWindow: minuteMs } }

/** Roles that may save the form. */
const rolesOf = (resource: AnyResource): Role[] =>
  roles.filter((role) => (['create', 'edit'] as const).some((verb) => rolesFor(resource, verb).includes(role)))

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))

type Asked = { resource: AnyResource; names: readonly string[]; outlookOf: NonNullable<ResourceRules['outlook']> }

/** Validated by the same schemas, references and conditions as on saving. */
async function answer({ catalog }: Engine, { resource, names, outlookOf }: Asked, request: FastifyRequest, work: Work) {
  const writable = pick(writableFields(resource, 'create', work.caller.role), names)
  const values = await checkBody(
    catalog,
    { verb: 'create', body: request.body, writable, resources: [resource], current: {} },
    work,
  )
  return outlookOf(values, work)
}

function addOutlook(api: Api, engine: Engine, asked: Asked): void {
  const { resource, names } = asked
  const { bodyLimit, rateLimit } = limits
  api.post(urlOf(outlookPath(resource.name)), {
    bodyLimit,
    config: { access: rolesOf(resource), rateLimit },
    schema: {
      summary: `Records that a form would take in: ${resource.label.one[0]}`,
      description: 'Nothing is saved. The values are refused as they are on saving.',
      operationId: `outlook ${resource.name}`,
      tags: [resource.name],
      body: createSchema(pick(resource.fields, names)),
      response: { 200: outlookSchema },
    },
    ...unchecked,
    handler: (request) => withoutTransaction(engine, request, (work) => answer(engine, asked, request, work)),
  })
}

export function addOutlookRoutes(api: Api, engine: Engine): void {
  for (const resource of engine.catalog.definitions.values()) {
    const outlookOf = engine.catalog.rules[resource.name]?.outlook
    if (resource.outlook && outlookOf) addOutlook(api, engine, { resource, names: resource.outlook.values, outlookOf })
  }
}
