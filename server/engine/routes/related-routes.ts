import { type RawBuilder, sql } from 'kysely'
import { isRelated, type RelatedTab, relationFilters, relationOf, rolesFor } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Role, roles } from '#schema/roles.ts'
import type { RuleContext } from '#schema/rule.ts'
import { say } from '#schema/words.ts'
import { callerOf } from '#server/base/caller.ts'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { answerList } from '#server/engine/records/answer-list.ts'
import { sourceFor } from '#server/engine/records/catalog.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { readVisible } from '#server/engine/records/show-record.ts'
import { type Engine, ruleContext } from '#server/engine/records/work.ts'
import { filterSql } from '#server/engine/sql/filter-and-order.ts'
import { unchecked } from './record-routes.ts'
import { idParams, listAnswer, listQuerySchema } from './route-schemas.ts'
import { type RouteTable, urlOf } from './route-table.ts'

type Related = {
  name: string
  parent: AnyResource
  target: AnyResource
  tab: RelatedTab
  from: string
  relation: Readonly<Record<string, string>>
}

/** Related lists with a path of their own. */
function relatedLists({ catalog }: Engine): Related[] {
  return [...catalog.definitions.values()].flatMap((parent) =>
    Object.entries(parent.tabs ?? {}).flatMap(([name, tab]) => {
      if (!isRelated(tab) || !tab.from?.includes('{id}')) return []
      const target = catalog.definitions.get(tab.resource)
      const relation = relationOf(parent, tab, target)
      return target && relation ? [{ name, parent, target, tab, from: tab.from, relation }] : []
    }),
  )
}

/** Roles of a related list: those of the record, restricted by the tab. */
const rolesOf = ({ parent, tab }: Related): Role[] =>
  roles.filter((role) => rolesFor(parent, 'show').includes(role) && (tab.roles?.includes(role) ?? true))

/** Filter of the rows that belong to a record. Values are compared literally; an empty value matches nothing. */
function relationSql(
  { catalog }: Engine,
  { target, relation }: Related,
  record: Row,
  context: RuleContext,
): RawBuilder<boolean> {
  const source = sourceFor(catalog, target)
  const filters = relationFilters(relation, record, context)
  if (!filters) return sql<boolean>`false`
  return sql<boolean>`(${sql.join(
    filters.map((filter) => filterSql(source, filter)),
    sql` and `,
  )})`
}

function addRelated(api: Api, engine: Engine, related: Related, access: readonly Role[]) {
  const { name, parent, target, from } = related
  api.route({
    method: 'GET',
    url: urlOf(from),
    config: { access, audit: { action: 'list', entityType: target.name } },
    schema: {
      summary: `${say(parent.label.one, 'en')}: ${say(related.tab.label, 'en')}`,
      operationId: `list ${parent.name} ${name}`,
      tags: [parent.name],
      params: idParams,
      querystring: listQuerySchema(target),
      response: { 200: listAnswer(target) },
    },
    ...unchecked,
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const id: unknown = Reflect.get(Object(request.params), 'id')
      const { record, used } = await readVisible(engine, { resource: parent, id: String(id), caller })
      if (!used.some((resource) => resource === parent)) throw problem('not-found')
      const where = relationSql(engine, related, record, ruleContext(caller, engine.context.clock()))
      return answerList(engine, { resource: target, where }, request, reply)
    },
  })
}

/** `ess/{id}/guest` for every tab that names such a path and has no custom route. */
export function addRelatedRoutes(api: Api, engine: Engine, table: RouteTable): void {
  for (const related of relatedLists(engine)) {
    const access = rolesOf(related)
    if (access.length > 0 && !table.isTaken('GET', related.from)) addRelated(api, engine, related, access)
  }
}
