import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { allFields, pathOf, rolesFor } from '#schema/definition.ts'
import { parseListQuery, type QueryInput } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Api, ServerContext, ServerPart } from '#server/context.ts'
import type { RulesByResource } from '#server/db/field-sql.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { selectionSql } from '#server/db/where.ts'
import { fileAnswer } from '#server/docs/described-answers.ts'
import { invalid, languageOf, problem } from '#server/problems.ts'
import { type Catalog, sourceFor } from '#server/records/catalog.ts'
import { listQuerySchema } from '#server/records/route-schemas.ts'
import { unchecked } from '#server/records/routes.ts'
import { showFaults } from '#server/records/show-faults.ts'
import { readablePath, rowFields } from '#server/records/visible-fields.ts'
import { callerOf, ruleContext } from '#server/records/work.ts'
import { takeAttempt } from '#server/session/attempts.ts'
import { addAudit } from '#server/session/audit-entry.ts'
import { chooseColumns } from './csv-columns.ts'
import { type Export, exportLines } from './export-lines.ts'

const perMinute = 10
/** Read by this route itself; the window of a list does not hold here, since all rows are meant. */
const ownKeys = ['format', 'columns', '_start', '_end']

const textsOf = (value: string | readonly string[] | undefined): string[] | undefined =>
  value === undefined
    ? undefined
    : [value]
        .flat()
        .flatMap((text) => text.split(','))
        .filter(Boolean)

/** What a request asks for, checked as strictly as a list. Throws 400 with every fault. */
function readExport(catalog: Catalog, resource: AnyResource, request: FastifyRequest, now: Date): Export {
  const caller = callerOf(request)
  const input: QueryInput = { ...Object(request.query) }
  const readable = readablePath(resource, caller.role)
  const { query, faults } = parseListQuery(resource, input, { ignore: ownKeys, readable })
  const wrongFormat =
    input.format === undefined || input.format === 'csv'
      ? []
      : [{ path: 'format', code: 'not-a-choice', params: { choices: 'csv' } }]
  const windowless = faults.filter(({ path }) => path !== '_end')
  if (windowless.length + wrongFormat.length > 0)
    throw invalid(showFaults([...windowless, ...wrongFormat], allFields(resource)))
  const source = sourceFor(catalog, resource, caller)
  const scope = resource.scope?.[caller.role]
  const context = ruleContext(caller, now)
  const where = selectionSql(source, { query, rules: scope ? [scope] : [], context, readable })
  const fields = rowFields(resource, caller.role)
  const language = languageOf(request)
  const choosing = { resource, definitions: catalog.definitions, fields, readable, language }
  const columns = chooseColumns(textsOf(input.columns), choosing)
  return { source, columns, fields, caller, where, sort: query.sort }
}

/** Counts the export and notes who took what out: without the entry there is no export. */
function noteExport({ database }: ServerContext, { source, columns, caller }: Export, request: FastifyRequest, now: Date) {
  const { resource } = source
  return inTransaction(database, async (db) => {
    const limit = { key: `export:${caller.userId}`, max: perMinute, windowMs: 60_000 }
    const { waitS } = await takeAttempt(db, [limit], now)
    if (waitS > 0) throw problem('too-many', { retryAfterS: waitS })
    const { format: _, columns: __, _start, _end, ...query } = Object(request.query)
    await addAudit(db, {
      at: now,
      actorId: caller.userId,
      role: caller.role,
      action: 'export',
      entityType: resource.name,
      after: { columns: columns.map(({ path }) => path), query },
      requestId: request.id,
      ip: request.ip,
    })
  })
}

async function* startingWith(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

function exportRoute(api: Api, context: ServerContext, catalog: Catalog, resource: AnyResource): void {
  const access = rolesFor(resource, 'list')
  const querystring = listQuerySchema(resource)
    .omit({ _start: true, _end: true })
    .extend({
      format: z.literal('csv').default('csv'),
      columns: z
        .string()
        .optional()
        .meta({ description: 'Fields with commas, in the order of the columns; default: those of the list' }),
    })
  api.get(
    `/export/${resource.name}`,
    {
      config: { access, audit: { action: 'export', entityType: resource.name } },
      // A HEAD would count as an export.
      exposeHeadRoute: false,
      schema: {
        summary: `Export: ${resource.label.many[0]}`,
        operationId: `export ${resource.name}`,
        tags: [resource.name],
        querystring,
        response: { 200: fileAnswer('text/csv', 'All rows of the list as CSV') },
      },
      ...unchecked,
    },
    async (request, reply) => {
      const now = context.clock()
      const asked = readExport(catalog, resource, request, now)
      await noteExport(context, asked, request, now)
      const lines = exportLines(context.database.kysely, asked)
      // What fails before the first row is still answered as a refusal.
      const first = await lines.next()
      const name = `${resource.name}-${now.toISOString().slice(0, 10)}.csv`
      reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`)
      return reply.send(Readable.from(startingWith(first.value ?? '', lines), { objectMode: false }))
    },
  )
}

/** `GET /export/{resource}` for every list: exactly its filtered rows, and of them what the caller may read. */
export const exportPart = (rules: RulesByResource): ServerPart => ({
  name: 'export',
  register(api, context) {
    const catalog = { definitions: context.definitions, rules }
    for (const resource of context.definitions.values()) {
      const listed = pathOf(resource, 'list') !== undefined && rolesFor(resource, 'list').length > 0
      if (listed) exportRoute(api, context, catalog, resource)
    }
  },
})
