import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { fleetStaff } from '#schema/roles.ts'
import { callerOf } from '#server/base/caller.ts'
import { problem } from '#server/base/problems.ts'
import { limits, takeAttempt } from '#server/base/rate-limits.ts'
import { rowsOf } from '#server/db/query.ts'
import { fileAnswer } from '#server/engine/docs/described-answers.ts'
import type { ResourceRules, Row, Work } from '#server/engine/records/resource-rules.ts'
import { plausible } from '#server/engine/records/show-record.ts'
import { unchecked } from '#server/engine/routes/record-routes.ts'
import { idParams, listSchema } from '#server/engine/routes/route-schemas.ts'
import { subjectOf } from '#server/fleet/telemetry/telemetry-subject.ts'
import type { FrameDecoder } from '#server/frames/frame-decoder.ts'
import { packagesOf, spanOf, updatesOf } from './case-sql.ts'
import { caseZip } from './case-zip.ts'

/** Counts and audits the export; without the audit entry there is no export. */
async function recordExport({ id, code }: Row, { db, caller, now, audit }: Work): Promise<void> {
  const { waitS } = await takeAttempt(db, [limits.exporting(caller.userId)], now)
  if (waitS > 0) throw problem('too-many', { retryAfterS: waitS })
  await audit({ action: 'export', entityType: 'case-file', entityId: String(id), code: String(code) })
}

/** Routes of a case file: its packets, and the whole as an archive. */
export const caseRoutes =
  (decoder: FrameDecoder): NonNullable<ResourceRules['routes']> =>
  (api, { context, transact, list, show }) => {
    const { database } = context
    const listed = {
      summary: 'Case file: Packages',
      tags: ['case-file'],
      params: idParams,
      ...listSchema(context.definitions, 'package'),
    }
    api.get(
      '/case-file/:id/package',
      { config: { access: fleetStaff }, schema: listed, ...unchecked },
      async (request, reply) => {
        const id = plausible(request.params.id)
        await show(request, 'case-file', id)
        const where = sql<boolean>`"t"."id" in (select "r"."id" from "case_file" "c" cross join lateral ${packagesOf(spanOf('c'))} "r" where "c"."id" = ${id})`
        return list(request, reply, { resource: 'package', where })
      },
    )

    const schema = {
      summary:
        'A case file as an archive: packets, samples, configuration, updates and the warning, with a list of its contents',
      tags: ['case-file'],
      params: idParams,
      response: { 200: fileAnswer('application/zip', 'The archive') },
    }
    const config = { access: fleetStaff, audit: { action: 'export', entityType: 'case-file' } }
    api.get('/case-file/:id/zip', { config, schema, exposeHeadRoute: false }, async (request, reply) => {
      const { id } = request.params
      const file = await show(request, 'case-file', id)
      // The assignment flag depends on the caller, not on the warning.
      const { served: _, ...warning } = await show(request, 'telemetry-warning', String(file.warningId))
      const found = await rowsOf(
        database.kysely,
        sql<{
          id: string
        }>`select "r"."id" from "case_file" "c" cross join lateral ${updatesOf(spanOf('c'))} "r" where "c"."id" = ${id}
        order by "r"."createdAt"`,
      )
      const updates: Row[] = []
      for (const { id: updateId } of found) {
        const { served: __, ...update } = await show(request, 'firmware-update', updateId)
        updates.push(update)
      }
      const { zone } = await subjectOf(database, { controlPcbId: String(file.controlPcbId) })
      await transact(request, (work) => recordExport(file, work))
      const contents = { decoder, file, warning, updates, zone, by: callerOf(request), at: context.clock() }
      reply.type('application/zip').header('content-disposition', `attachment; filename="${String(file.code)}.zip"`)
      return reply.send(Readable.from(await caseZip(database, contents), { objectMode: false }))
    })
  }
