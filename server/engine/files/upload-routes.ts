import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import { isWritable, mayWrite, rolesFor, rolesForAction } from '#schema/definition.ts'
import { type Field, holdsFiles } from '#schema/field-types.ts'
import { claimedType, type FileFacts, type StoredFile } from '#schema/files.ts'
import { minuteMs } from '#schema/format/durations.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Role, roles } from '#schema/roles.ts'
import type { Access } from '#server/base/caller.ts'
import type { Api } from '#server/base/context.ts'
import { onlyOnce } from '#server/engine/http/idempotency.ts'
import { leastBytesPerS } from '#server/engine/http/slow-body.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { type Engine, transact } from '#server/engine/records/work.ts'
import { asAnswered } from '#server/engine/routes/record-routes.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { rulesOfField } from './field-file.ts'
import { acceptUploads, describedUpload, receiveFile } from './receive-file.ts'

/** A form has a few files; more uploads per minute are no human input. */
const uploadsPerMin = 60

type Content = { name: string; content: Buffer; sha256: string }
type Place = { resource: AnyResource; name: string; field: Field & FileFacts }

/** Roles that may write the field, in the record's form or in that of an action. */
function writersOf({ resource, name, field }: Place): readonly Role[] {
  const actions = Object.values(resource.actions ?? {}).filter(({ form }) => form && Object.hasOwn(form, name))
  return roles.filter((role) => {
    const inForm = (['create', 'edit'] as const).some(
      (verb) => isWritable(field, verb) && mayWrite(field, role) && rolesFor(resource, verb).includes(role),
    )
    return inForm || actions.some((action) => rolesForAction(resource, action).includes(role))
  })
}

function accessOf({ catalog }: Engine, place: Place): Access | undefined {
  if (catalog.rules[place.resource.name]?.own?.edit?.includes(place.name)) return 'user'
  const writers = writersOf(place)
  return writers.length > 0 ? writers : undefined
}

async function add(place: Place, { name, content, sha256 }: Content, { db, caller, now }: Work): Promise<StoredFile> {
  const file: StoredFile = { id: uuidv7(), name, type: claimedType(name), sizeBytes: content.length, sha256 }
  await sql`insert into "storedFile" ("id", "owner", "field", "name", "type", "sizeBytes", "sha256", "content", "uploadedBy", "uploadedAt")
    values (${file.id}, ${tableOf(place.resource)}, ${place.name}, ${name}, ${file.type}, ${file.sizeBytes}, ${file.sha256}, ${content},
      ${caller.userId}, ${now})`.execute(db)
  return file
}

const storedAnswer = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  sizeBytes: z.int(),
  sha256: z.string(),
})

async function store(engine: Engine, place: Place, request: FastifyRequest): Promise<StoredFile> {
  const received = await receiveFile(request, 'file', rulesOfField(place.name, place.field))
  const sha256 = createHash('sha256').update(received.content).digest('hex')
  const { body } = await transact(engine, request, (work) =>
    onlyOnce(work, { request, content: [received.name, sha256] }, async () => ({
      status: 201,
      body: await add(place, { ...received, sha256 }, work),
    })),
  )
  return storedAnswer.parse(body)
}

function addUpload(api: Api, engine: Engine, place: Place, access: Access): void {
  const { resource, name, field } = place
  const schema = {
    summary: `Upload: ${field.label[0]} (${resource.label.one[0]})`,
    description: 'One field, the file. Its answer is the value to save in the record; without that it is removed after a day.',
    operationId: `upload ${resource.name} ${name}`,
    tags: [resource.name],
    response: { 201: storedAnswer },
  }
  const rateLimit = {
    max: uploadsPerMin,
    timeWindow: minuteMs,
    keyGenerator: (request: FastifyRequest) => request.caller?.userId ?? request.ip,
  }
  const audit = { action: 'update', entityType: resource.name }
  const config = { access, audit, described: describedUpload, leastBytesPerS: leastBytesPerS.upload, rateLimit }
  api.post(`/files/${resource.name}/${name}`, { schema, config, ...asAnswered }, async (request, reply) =>
    reply.code(201).send(await store(engine, place, request)),
  )
}

/** An upload route per file field, for roles that may write it. */
export async function addUploadRoutes(api: Api, engine: Engine): Promise<void> {
  await api.register(async (scope) => {
    await acceptUploads(scope)
    for (const resource of engine.catalog.definitions.values()) {
      for (const [name, field] of Object.entries(resource.fields)) {
        const place = holdsFiles(field) ? { resource, name, field } : undefined
        const access = place && accessOf(engine, place)
        if (access) addUpload(scope, engine, place, access)
      }
    }
  })
}
