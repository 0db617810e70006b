import { sql } from 'kysely'
import { z } from 'zod'
import { allFields } from '#schema/definition.ts'
import { parseListQuery, type QueryInput } from '#schema/list-query.ts'
import { fleetStaff } from '#schema/roles.ts'
import { callerOf } from '#server/base/caller.ts'
import type { ServerContext } from '#server/base/context.ts'
import { invalid, problem } from '#server/base/problems.ts'
import { rowsOf } from '#server/db/query.ts'
import type { ResourceRules } from '#server/engine/records/resource-rules.ts'
import { showFaults } from '#server/engine/records/show-faults.ts'
import { readablePath } from '#server/engine/records/visible-fields.ts'
import { ruleContext } from '#server/engine/records/work.ts'
import { selectionSql } from '#server/engine/sql/filter-and-order.ts'
import { packageDerived } from './package-derived.ts'

type Counted = { reason: string; count: number }

/** Count of each reason in the packets of a list. The list's own filter by reason is ignored, because this is its facet. */
async function countReasons(
  { definitions, database, clock }: ServerContext,
  query: QueryInput,
  caller: ReturnType<typeof callerOf>,
) {
  const resource = definitions.get('package')
  if (!resource) throw problem('not-found')
  const readable = readablePath(resource, caller.role)
  const parsed = parseListQuery(resource, query, { ignore: ['reason', 'reason_ne'], readable })
  if (parsed.faults.length > 0) throw invalid(showFaults(parsed.faults, allFields(resource)))
  const now = clock()
  const source = { resource, definitions, rules: { package: { derived: packageDerived } }, now }
  const where = selectionSql(source, { query: parsed.query, rules: [], context: ruleContext(caller, now), readable })
  return rowsOf(
    database.kysely,
    sql<Counted>`select "r"."reason", count(*) as "count" from "package" as "t"
      cross join lateral jsonb_array_elements_text("t"."reason") as "r" ("reason")
      where ${where} group by 1 order by 2 desc, 1`,
  )
}

/** Route of the reason facet. */
export const packageRoutes: NonNullable<ResourceRules['routes']> = (api, { context }) => {
  const counted = z.array(z.object({ reason: z.string(), count: z.int() }))
  const summary = 'How often each reason stands in the packets of a list, by the parameters of the list'
  api.get(
    '/package/reasons',
    { config: { access: fleetStaff }, schema: { summary, tags: ['package'], response: { 200: counted } } },
    (request) => countReasons(context, { ...Object(request.query) }, callerOf(request)),
  )
}
