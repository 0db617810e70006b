import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { allFields, isRelated, pathOf, rolesFor } from '#schema/definition.ts'
import type { QueryInput } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { say } from '#schema/words.ts'
import type { Access } from '#server/base/caller.ts'
import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import { invalid, languageOf, problem } from '#server/base/problems.ts'
import { limits, takeAttempt } from '#server/base/rate-limits.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import { loggedFilters } from '#server/engine/audit/logged-filters.ts'
import { fileAnswer } from '#server/engine/docs/described-answers.ts'
import { type ListCall, overrideListAnswer, planList } from '#server/engine/records/answer-list.ts'
import type { Catalog } from '#server/engine/records/catalog.ts'
import { showFaults } from '#server/engine/records/show-faults.ts'
import type { Engine } from '#server/engine/records/work.ts'
import { unchecked } from '#server/engine/routes/record-routes.ts'
import { listQuerySchema } from '#server/engine/routes/route-schemas.ts'
import { shapeOf, urlOf } from '#server/engine/routes/route-table.ts'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
import { chooseColumns } from './csv-columns.ts'
import { type Export, exportLines } from './export-lines.ts'

type Lister = Pick<Engine, 'context' | 'catalog'>
const textsOf = (value: string | readonly string[] | undefined): string[] | undefined =>
  value === undefined
    ? undefined
    : [value]
        .flat()
        .flatMap((text) => text.split(','))
        .filter(Boolean)

/** Parses an export request as strictly as a list request. Throws 400 with all faults. */
function readExport(engine: Lister, call: ListCall, request: FastifyRequest): Export {
  const { resource } = call
  // An export covers all rows: the page window is ignored.
  const { format, columns, _start, _end, ...input }: QueryInput = { ...Object(request.query) }
  if (format !== undefined && format !== 'csv')
    throw invalid(showFaults([{ path: 'format', code: 'not-a-choice', params: { choices: 'csv' } }], allFields(resource)))
  const { caller, readable, source, where, fields, query } = planList(engine, call, request, input)
  const choosing = { resource, definitions: engine.catalog.definitions, fields, readable, language: languageOf(request) }
  return { source, columns: chooseColumns(textsOf(columns), choosing), fields, caller, where, sort: query.sort }
}

/** Parent list and record of a related export. */
const listBelow = ({ url, params }: FastifyRequest): { list?: string } =>
  Object.keys(Object(params)).length > 0 ? { list: (url.split('?')[0] ?? '').replace('/api/export/', '') } : {}

/** Counts and audits the export; without the audit entry there is no export. */
function recordExport({ database }: ServerContext, { source, columns, caller }: Export, request: FastifyRequest, now: Date) {
  const { resource } = source
  return inTransaction(database, async (db) => {
    const { waitS } = await takeAttempt(db, [limits.exporting(caller.userId)], now)
    if (waitS > 0) throw problem('too-many', { retryAfterS: waitS })
    await addAudit(db, {
      at: now,
      actorId: caller.userId,
      role: caller.role,
      action: 'export',
      entityType: resource.name,
      after: { columns: columns.map(({ path }) => path), ...loggedFilters(request.query), ...listBelow(request) },
      requestId: request.id,
      ip: request.ip,
    })
  })
}

async function* startingWith(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** All rows of a list request, as a file. */
async function answerCsv(engine: Lister, call: ListCall, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { context } = engine
  const now = context.clock()
  const asked = readExport(engine, call, request)
  await recordExport(context, asked, request, now)
  const lines = exportLines(context.database.kysely, asked)
  // A failure before the first row is still answered as a problem.
  const first = await lines.next()
  const name = `${call.resource.name}-${now.toISOString().slice(0, 10)}.csv`
  reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`)
  return reply.send(Readable.from(startingWith(first.value ?? '', lines), { objectMode: false }))
}

const querystringOf = (list: z.ZodObject) =>
  list.omit({ _start: true, _end: true }).extend({
    format: z.literal('csv').default('csv'),
    columns: z
      .string()
      .optional()
      .meta({ description: 'Fields with commas, in the order of the columns; default: those of the list' }),
  })

type Described = { resource: AnyResource; name: string; summary: string; params?: z.ZodType; list?: z.ZodObject }

/** Common options of export routes; a HEAD request would be audited as an export. */
const routeOf = (access: Access, { resource, name, summary, params, list = listQuerySchema(resource) }: Described) => ({
  config: { access, audit: { action: 'export', entityType: resource.name } },
  exposeHeadRoute: false,
  schema: {
    summary,
    operationId: `export ${name}`,
    tags: [resource.name],
    ...(params && { params }),
    querystring: querystringOf(list),
    response: { 200: fileAnswer('text/csv', 'All rows of the list as CSV') },
  },
  ...unchecked,
})

function exportRoute(api: Api, engine: Lister, resource: AnyResource): void {
  const summary = `Export: ${resource.label.many[0]}`
  const route = routeOf(rolesFor(resource, 'list'), { resource, name: resource.name, summary })
  api.get(`/export/${resource.name}`, route, (request, reply) => answerCsv(engine, { resource }, request, reply))
}

/** Related lists with a path of their own, by the shape of that path. */
const ownPaths = ({ definitions }: Catalog): Map<string, { resource: AnyResource; summary: string }> =>
  new Map(
    [...definitions.values()].flatMap((parent) =>
      Object.values(parent.tabs ?? {}).flatMap((tab) => {
        const resource = isRelated(tab) ? definitions.get(tab.resource) : undefined
        if (!resource || !isRelated(tab) || !tab.from) return []
        return [
          [
            shapeOf('GET', urlOf(tab.from)),
            { resource, summary: `Export: ${say(parent.label.one, 'en')}: ${say(tab.label, 'en')}` },
          ],
        ]
      }),
    ),
  )

/** `GET /export/ess/{id}/guest` beside `GET /ess/{id}/guest`: the list's handler answers both, so they return the same rows. */
function exportBeside(api: Api, engine: Lister): void {
  const paths = ownPaths(engine.catalog)
  api.addHook('onRoute', ({ method, url, prefix, handler, schema, config }) => {
    const path = url.slice(prefix.length)
    const own = method === 'GET' ? paths.get(shapeOf('GET', path)) : undefined
    if (!own || !config?.access) return
    paths.delete(shapeOf('GET', path))
    const { params, querystring } = Object(schema)
    const list = querystring instanceof z.ZodObject ? querystring : undefined
    const route = routeOf(config.access, { ...own, name: path, params, ...(list && { list }) })
    api.get(`/export${path}`, route, (request, reply) => {
      overrideListAnswer(request, (call) => answerCsv(engine, call, request, reply))
      return handler.call(api, request, reply)
    })
  })
}

/** `GET /export/{resource}` for every list: its filtered rows, limited to what the caller may read. */
export const exportPart = (rules: RulesByResource): ServerPart => ({
  name: 'export',
  register(api, context) {
    const engine = { context, catalog: { definitions: context.definitions, rules, clock: context.clock } }
    exportBeside(api, engine)
    for (const resource of context.definitions.values()) {
      const listed = pathOf(resource, 'list') !== undefined && rolesFor(resource, 'list').length > 0
      if (listed) exportRoute(api, engine, resource)
    }
  },
})
