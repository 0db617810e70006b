import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { importColumns, importers, importTargets, isOnlyShown, keyedTargets, pairingLabel } from '#schema/import-columns.ts'
import { importJobSchema, importReportSchema } from '#schema/wire/import-report.ts'
import { callerOf } from '#server/base/caller.ts'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { leastBytesPerS } from '#server/engine/http/slow-body.ts'
import type { Engine } from '#server/engine/records/work.ts'
import { idParams } from '#server/engine/routes/route-schemas.ts'
import { jobById, listJobs } from './job-store.ts'
import { runImport } from './run-import.ts'
import { mostBytes, readSource } from './source-rows.ts'
import { undoJob } from './undo/undo-job.ts'

const access = importers
const flag = z.enum(['true', 'false']).optional()

const query = z.strictObject({
  dryRun: flag.meta({ description: 'true: tells what would be done, and does nothing' }),
  update: flag.meta({
    description:
      'true: changes records that are there already; otherwise they are skipped. A row finds its record by a unique title, else by ' +
      'another unique field or fields that are unique together, as far as the file fills them; 400 where it fills none',
  }),
  skipInvalid: flag.meta({ description: 'true: takes the good rows and leaves the others; otherwise all or nothing' }),
  map: z
    .string()
    .max(6000)
    .optional()
    .meta({ description: 'The field of each column in order, with commas; nothing between two leaves the column out' }),
  fileName: z.string().trim().max(200).optional(),
})
const keyedQuery = query.extend({
  keys: flag.meta({
    description: 'true: each board of the file without a device key gets one, which only this answer contains',
  }),
})

/** Accepts CSV bodies in this scope; anything else gets 415. */
function acceptTables(api: Api): void {
  api.removeAllContentTypeParsers()
  api.addContentTypeParser('text/csv', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, done) => done(null, body))
}

const bodyOf = ({ body }: FastifyRequest): Buffer => {
  if (!Buffer.isBuffer(body)) throw problem('wrong-media-type')
  return body
}

/** A safe label: no path, no control or bidi characters. */
const safeName = (name: string) => (name.split(/[\\/]/).at(-1) ?? '').replace(/[\p{Cc}\p{Cf}]/gu, '').trim()

const described = { bodyType: 'text/csv', body: { type: 'string', description: 'A table with a head, in UTF-8' } }

function importRoute(api: Api, engine: Engine, { target, signal }: { target: string; signal: AbortSignal }): void {
  const { definitions } = engine.catalog
  const label = definitions.get(target)?.label.many ?? pairingLabel
  api.post(
    `/import/${target}`,
    {
      config: { access, audit: { action: 'import', entityType: target }, leastBytesPerS: leastBytesPerS.upload, described },
      bodyLimit: mostBytes,
      schema: {
        summary: `Import: ${label[0]}`,
        operationId: `import ${target}`,
        tags: ['filling'],
        querystring: keyedTargets.has(target) ? keyedQuery : query,
        response: { 200: importReportSchema },
      },
    },
    async (request) => {
      const { dryRun, update, skipInvalid, map, fileName, keys }: z.infer<typeof keyedQuery> = request.query
      const body = bodyOf(request)
      const columns = importColumns(definitions, target, callerOf(request).role)
      const fillable = { columns, isOnlyShown: (head: string) => isOnlyShown(definitions, target, head) }
      const table = await readSource(body, fillable, map)
      return runImport(engine, request, {
        target,
        table,
        fileName: safeName(fileName ?? ''),
        dryRun: dryRun === 'true',
        update: update === 'true',
        skipInvalid: skipInvalid === 'true',
        keys: keys === 'true',
        signal,
        hasLeft: () => request.raw.socket.destroyed,
        content: [request.query, createHash('sha256').update(body).digest('hex')],
      })
    },
  )
}

function jobRoutes(api: Api, engine: Engine, signal: AbortSignal): void {
  const { kysely } = engine.context.database
  api.get(
    '/import-job',
    {
      config: { access },
      schema: { summary: 'What was brought in', tags: ['filling'], response: { 200: z.array(importJobSchema) } },
    },
    () => listJobs(kysely),
  )
  api.post(
    '/import-job/:id/undo',
    {
      config: { access, audit: { action: 'undo-import', entityType: 'import-job' } },
      schema: {
        summary: 'Takes back what an import has made and nobody has touched since',
        tags: ['filling'],
        params: idParams,
        response: { 200: importJobSchema },
      },
    },
    async (request) => {
      const { id } = request.params
      await undoJob(engine, request, { id, signal })
      const job = await jobById(kysely, id)
      if (!job) throw problem('not-found')
      return job
    },
  )
}

/** `POST /import/{target}`, and the import history. */
export async function importRoutes(api: Api, engine: Engine): Promise<void> {
  const end = new AbortController()
  api.addHook('preClose', async () => end.abort())
  await api.register(async (scope) => {
    acceptTables(scope)
    for (const target of importTargets(engine.catalog.definitions, 'admin'))
      importRoute(scope, engine, { target, signal: end.signal })
  })
  jobRoutes(api, engine, end.signal)
}
