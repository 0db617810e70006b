import type { FastifyReply, FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { allFields, type Definitions, fieldOf } from '#schema/definition.ts'
import type { Fields } from '#schema/field-types.ts'
import { namesBefore } from '#schema/former-names.ts'
import { type FilterValue, type ListQuery, parseListQuery, type QueryInput } from '#schema/list-query.ts'
import { type AnyResource, systemFields } from '#schema/resource.ts'
import type { Rule } from '#schema/rule.ts'
import { topOf } from '#schema/rule.ts'
import { callerOf } from '#server/base/caller.ts'
import { invalid, languageOf } from '#server/base/problems.ts'
import { rowsOf } from '#server/db/query.ts'
import { noteList } from '#server/engine/audit/logged-lists.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { orderSql, selectionSql } from '#server/engine/sql/filter-and-order.ts'
import { sourceFor } from './catalog.ts'
import { type ListStatements, listStatements } from './list-statements.ts'
import type { Row } from './resource-rules.ts'
import { showFaults } from './show-faults.ts'
import { readablePath, rowFields } from './visible-fields.ts'
import { type Engine, ruleContext } from './work.ts'

/** A list request, and restrictions beyond the resource's own. */
export type ListCall = {
  resource: AnyResource
  where?: RawBuilder<boolean>
  rules?: readonly Rule[]
  ignore?: readonly string[]
  fields?: readonly string[]
  searched?: readonly string[]
}

const queryOf = (request: FastifyRequest): QueryInput => ({ ...(request.query as QueryInput) })

type Readable = (path: string) => boolean

/** A journal of a resource goes on where the resource was renamed: its entries stay under the names of their time. */
function withFormerNames(definitions: Definitions, { journal }: AnyResource, query: ListQuery): ListQuery {
  if (!journal) return query
  const all = (kind: FilterValue) => [kind, ...namesBefore(definitions.get(String(kind)) ?? {})]
  const widened = query.filters.map((filter) =>
    filter.field === journal.kind && (filter.op === 'eq' || filter.op === 'ne')
      ? { ...filter, values: filter.values.flatMap(all) }
      : filter,
  )
  return { ...query, filters: widened }
}

function readQuery(
  { resource, ignore = [] }: ListCall,
  input: QueryInput,
  { readable, isIn }: { readable: Readable; isIn: Readable },
): ListQuery {
  const { query, faults } = parseListQuery(resource, input, { ignore, readable })
  // No role reads what a list is only sorted by; a list of a few fields is not sorted by it either.
  const unsortable = query.sort.filter(({ field }) => fieldOf(resource, field)?.sortOnly && !isIn(field))
  const all = [...faults, ...unsortable.map(({ field: key }) => ({ path: '_sort', code: 'unknown-field', params: { key } }))]
  if (all.length > 0) throw invalid(showFaults(all, allFields(resource)))
  return query
}

const idOnly: Fields = { id: systemFields.id }
const narrowed = (fields: Fields, names: readonly string[] | undefined): Fields =>
  names ? { ...idOnly, ...Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name))) } : fields

/** Rows, order and readable fields of a list request. Throws 400 with all faults. */
export function planList(
  { catalog, context }: Pick<Engine, 'catalog' | 'context'>,
  call: ListCall,
  request: FastifyRequest,
  input: QueryInput = queryOf(request),
) {
  const { resource } = call
  const caller = callerOf(request)
  const mayRead = readablePath(resource, caller.role)
  const names = call.fields && new Set(['id', ...call.fields])
  const isIn: Readable = (path) => !names || names.has(topOf(path))
  const readable: Readable = (path) => mayRead(path) && isIn(path)
  const query = withFormerNames(catalog.definitions, resource, readQuery(call, input, { readable, isIn }))
  const source = { ...sourceFor(catalog, resource, caller), language: languageOf(request) }
  const scope = resource.scope?.[caller.role]
  const rules = [...(scope ? [scope] : []), ...(call.rules ?? [])]
  const isSearched: Readable = (path) => readable(path) || (mayRead(path) && !!call.searched?.includes(path))
  const selection = selectionSql(source, { query, rules, context: ruleContext(caller, context.clock()), readable: isSearched })
  const where = call.where ? sql<boolean>`${selection} and (${call.where})` : selection
  const fields = narrowed(rowFields(resource, caller.role), call.fields)
  return { caller, readable, query, source, where, fields }
}

/** Ids of the rows that a filter matches, in list order. Throws 400 with all faults. */
export async function selectedIds(
  engine: Pick<Engine, 'catalog' | 'context'>,
  resource: AnyResource,
  request: FastifyRequest,
  { filter, most }: { filter: Row; most: number },
): Promise<string[]> {
  // A value that is not text is reported like any other invalid value.
  const input: QueryInput = Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, textsOf(value)]))
  const { source, where, query } = planList(engine, { resource }, request, input)
  const rows = await rowsOf(
    engine.context.database.kysely,
    sql<{ id: string }>`select "t"."id" from ${sql.table(tableOf(resource))} as "t" where ${where}
      order by ${orderSql(source, query.sort)} limit ${most}`,
  )
  return rows.map(({ id }) => id)
}

const textsOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : String(value))

/** True for the resource's full list; a related list differs per record. The query string covers everything else. */
const isWhole = (call: ListCall) => Object.keys(call).length === 1

function statementsOf(engine: Engine, call: ListCall, request: FastifyRequest): ListStatements {
  const make = () => {
    const { caller, query, source, where, fields } = planList(engine, call, request)
    return listStatements(engine.context.database.kysely, { source, fields, role: caller.role, where, query })
  }
  const key = `${callerOf(request).role} ${languageOf(request)} ${call.resource.name} ${request.url}`
  return isWhole(call) ? engine.statements.of(key, make) : make()
}

type Answerer = (call: ListCall, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
const otherwise = new WeakMap<FastifyRequest, Answerer>()

/** Lets another responder answer this request's list, with exactly the same rows. */
export const overrideListAnswer = (request: FastifyRequest, answer: Answerer): void => void otherwise.set(request, answer)

/** One page of a list by the standard parameters: a JSON array, and the exact total in X-Total-Count. */
export async function answerList(
  engine: Engine,
  call: ListCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const answer = otherwise.get(request)
  if (answer) return answer(call, request, reply)
  const { page, total, table, fields, start, end, singleFlight } = statementsOf(engine, call, request)
  const { kysely } = engine.context.database
  const read = async () => (await kysely.executeQuery(page)).rows[0]?.json ?? '[]'
  const [json, count] = await Promise.all([
    singleFlight ? singleFlight.of(read) : read(),
    engine.totals.total(table, `${total.sql} ${JSON.stringify(total.parameters)}`, async () =>
      Number((await kysely.executeQuery(total)).rows[0]?.total ?? 0),
    ),
  ])
  const { definitions } = engine.catalog
  const { role } = callerOf(request)
  const rows = Math.min(end, count) - start
  noteList(request, { resource: call.resource, role, fields, definitions, json, rows, total: count })
  return reply.header('X-Total-Count', count).type('application/json; charset=utf-8').send(json)
}
