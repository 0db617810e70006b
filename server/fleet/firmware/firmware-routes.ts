import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { fleetStaff, staff } from '#schema/roles.ts'
import { takeLock } from '#server/base/advisory-locks.ts'
import { rowOf } from '#server/db/query.ts'
import { fileAnswer } from '#server/engine/docs/described-answers.ts'
import { acceptUploads, describedUpload } from '#server/engine/files/receive-file.ts'
import { sendBytes } from '#server/engine/files/send-file.ts'
import { onlyOnce } from '#server/engine/http/idempotency.ts'
import { leastBytesPerS } from '#server/engine/http/slow-body.ts'
import type { RecordTools, ResourceRules, Work } from '#server/engine/records/resource-rules.ts'
import { asAnswered } from '#server/engine/routes/record-routes.ts'
import { idParams, shownAnswer } from '#server/engine/routes/route-schemas.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { imageBytes, intactImage } from './firmware-file.ts'
import { offerFirmware } from './firmware-offers.ts'
import { readUpload, type Upload } from './firmware-upload.ts'
import type { ImageHeader } from './image-header.ts'

const fileFacts = ({ name, content, sha256, header }: Upload) => ({
  name,
  sizeBytes: content.length,
  sha256,
  crc32: header.crc32.toString(16).padStart(8, '0'),
})

async function mustBeNew(sha256: string, header: ImageHeader, work: Work): Promise<void> {
  // Serialised: two concurrent uploads of one version would both find it free. Uploads are rare.
  await takeLock(work.db, 'firmwareUploads')
  const same = await rowOf(
    work.db,
    sql<{ firmwareVersion: string }>`select "firmwareVersion" from "firmware" where "file"->>'sha256' = ${sha256}`,
  )
  if (same) throw fleetProblem('firmware.same-file', { values: same })
  const hardware = sql`array[${sql.join(header.hardwareRevisions)}]::text[]`
  const taken = await rowOf(
    work.db,
    sql`select 1 from "firmware" where "firmwareVersion" = ${header.firmwareVersion} and "product" = ${header.product} and "hardwareRevisions" ?| ${hardware}`,
  )
  if (taken) throw fleetProblem('firmware.version-taken', { values: { firmwareVersion: header.firmwareVersion } })
}

async function store(upload: Upload, work: Work): Promise<string> {
  const { header, sha256, content } = upload
  await mustBeNew(sha256, header, work)
  const id = uuidv7()
  const by = work.caller.userId
  await sql`insert into "firmware" ("id", "firmwareVersion", "file", "product", "hardwareRevisions", "minFromVersion", "status", "mandatory", "uploadedBy", "createdAt", "createdBy", "updatedAt", "updatedBy")
    values (${id}, ${header.firmwareVersion}, ${JSON.stringify(fileFacts(upload))}, ${header.product}, ${JSON.stringify(header.hardwareRevisions)}, ${header.minFromVersion},
      'DRAFT', false, ${by}, ${work.now}, ${by}, ${work.now}, ${by})`.execute(work.db)
  await sql`insert into "firmwareFile" ("firmwareId", "content") values (${id}, ${content})`.execute(work.db)
  await work.audit({
    action: 'create',
    entityType: 'firmware',
    entityId: id,
    code: header.firmwareVersion,
    after: { sha256, sizeBytes: content.length },
  })
  work.changed({ resource: 'firmware', id, version: 1, type: 'created' })
  return id
}

function download(api: Parameters<NonNullable<ResourceRules['routes']>>[0], { context, transact }: RecordTools): void {
  const whole = fileAnswer('application/octet-stream', 'The image')
  const schema = {
    summary: 'The file of a firmware, whole or a range of it',
    tags: ['firmware'],
    params: idParams,
    response: { 200: whole, 206: whole },
  }
  const config = { access: fleetStaff, audit: { action: 'read', entityType: 'firmware' } }
  api.get('/firmware/:id/file', { schema, config, exposeHeadRoute: false }, async (request, reply) => {
    const { id } = request.params
    const isFromStart = request.headers.range === undefined
    const { size, sha256, name } = await transact(request, (work) => intactImage(id, work, isFromStart))
    return sendBytes(context.database.kysely, { ...imageBytes(id), size, sha256, name }, request, reply)
  })
}

/** Upload, download and offers of firmware; its other routes derive from the definition. */
export const firmwareRoutes: NonNullable<ResourceRules['routes']> = async (api, tools) => {
  download(api, tools)

  offerFirmware(api, tools)

  await api.register(async (scope) => {
    await acceptUploads(scope)
    const schema = {
      summary: 'Upload a firmware: one field, the file; what it is, is read from it',
      tags: ['firmware'],
      response: { 201: shownAnswer(tools.context.definitions, 'firmware') },
    }
    const audit = { action: 'create', entityType: 'firmware' }
    const config = { access: staff, audit, described: describedUpload, leastBytesPerS: leastBytesPerS.upload }
    scope.post('/firmware', { config, schema, ...asAnswered }, async (request, reply) => {
      const upload = await readUpload(request)
      const { body } = await tools.transact(request, (work) =>
        onlyOnce(work, { request, content: [upload.name, upload.sha256] }, async () => ({
          status: 201,
          body: await store(upload, work),
        })),
      )
      return reply.code(201).send(await tools.show(request, 'firmware', String(body)))
    })
  })
}
