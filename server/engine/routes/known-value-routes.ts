import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { fieldOf, rolesFor } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { knownValuesPath, knownValuesSchema } from '#schema/wire/known-values.ts'
import type { Api } from '#server/base/context.ts'
import { rowsOf } from '#server/db/query.ts'
import { planList } from '#server/engine/records/answer-list.ts'
import { readablePath } from '#server/engine/records/visible-fields.ts'
import type { Engine } from '#server/engine/records/work.ts'
import { tableOf, valueSql } from '#server/engine/sql/field-sql.ts'

const most = 500

type Known = { resource: AnyResource; path: string }

/** Among the records that the caller sees. */
function countValues(engine: Engine, { resource, path }: Known, request: FastifyRequest) {
  const { source, where } = planList(engine, { resource }, request, {})
  return rowsOf(
    engine.context.database.kysely,
    sql<{ value: string; count: number }>`select "v" as "value", count(*)::int4 as "count"
      from (select ${valueSql(source, path)} as "v" from ${sql.table(tableOf(resource))} as "t" where ${where}) "values"
      where "v" <> '' group by 1 order by 2 desc, 1 limit ${most}`,
  )
}

function addKnownValues(api: Api, engine: Engine, known: Known): void {
  const { resource, path } = known
  const label = fieldOf(resource, path)?.label[0] ?? path
  api.get(`/${knownValuesPath(`${resource.name}.${path}`)}`, {
    config: { access: rolesFor(resource, 'list').filter((role) => readablePath(resource, role)(path)) },
    schema: {
      summary: `Values that are there: ${resource.label.many[0]}, ${label}`,
      description: `Of the records that the caller sees, the most frequent first, ${most} at most.`,
      operationId: `values ${resource.name} ${path}`,
      tags: [resource.name],
      response: { 200: knownValuesSchema },
    },
    handler: (request) => countValues(engine, known, request),
  })
}

/** For each text whose values a field offers (`valuesOf`). */
export function addKnownValueRoutes(api: Api, engine: Engine): void {
  const { definitions } = engine.catalog
  const fields = [...definitions.values()].flatMap((resource) => Object.values(resource.fields))
  const named = new Set(fields.flatMap((field) => (field.type === 'tags' ? (field.valuesOf ?? []) : [])))
  for (const valuesOf of named) {
    const [name = '', ...path] = valuesOf.split('.')
    const resource = definitions.get(name)
    if (resource) addKnownValues(api, engine, { resource, path: path.join('.') })
  }
}
