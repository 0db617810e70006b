import { z } from 'zod'
import { type FieldOf, holdsFiles } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Access, callerOf } from '#server/base/caller.ts'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { fileAnswer, rangeHeaders } from '#server/engine/docs/described-answers.ts'
import { showRecord } from '#server/engine/records/show-record.ts'
import type { Engine } from '#server/engine/records/work.ts'
import { accessOf, sharedCalls } from '#server/engine/routes/record-routes.ts'
import { type RouteTable, urlOf } from '#server/engine/routes/route-table.ts'
import { filesIn } from './claim-files.ts'
import { sendFile } from './send-file.ts'

/** The call that shows a record, and the definitions that share it. */
type Shown = { path: string; resource: AnyResource; resources: readonly AnyResource[]; access: Access }

const id = z.string().min(1).max(64)
const oneParams = z.object({ id })
const severalParams = z.object({ id, file: id.meta({ description: 'The id of the file, as the record names it' }) })

function addDownload(api: Api, engine: Engine, shown: Shown, name: string, field: FieldOf<'file'> | FieldOf<'files'>): void {
  const { path, resource, resources, access } = shown
  const isSeveral = field.type === 'files'
  const whole = fileAnswer('application/octet-stream', 'The file; its ETag is the SHA-256 of the whole')
  const schema = {
    summary: `Download: ${field.label[0]} (${resource.label.one[0]})`,
    operationId: `download ${resource.name} ${name}`,
    tags: [resource.name],
    params: isSeveral ? severalParams : oneParams,
    response: { 200: whole, 206: whole },
  }
  const url = `${urlOf(path)}/${name}${isSeveral ? '/:file' : ''}`
  api.get(
    url,
    {
      schema,
      config: { access, audit: { action: 'read', entityType: resource.name }, readHeaders: rangeHeaders },
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const params = severalParams.partial().parse(request.params)
      const record = await showRecord(engine, { resource, resources, id: params.id ?? '', caller: callerOf(request) })
      const file = filesIn(record[name]).find((one) => params.file === undefined || one.id === params.file)
      if (!file) throw problem('not-found')
      return await sendFile(engine.context.database.kysely, file, request, reply)
    },
  )
}

/** A download route per file field: anyone who may read the field's value may download it. */
export function addDownloadRoutes(api: Api, engine: Engine, table: RouteTable): void {
  for (const shared of sharedCalls(engine.catalog.definitions.values(), 'show')) {
    const access = accessOf(engine, shared)
    if (!access) continue
    const shown = { ...shared, access }
    const fields = Object.assign({}, ...shown.resources.map((resource) => resource.fields)) as AnyResource['fields']
    for (const [name, field] of Object.entries(fields)) {
      const isFree = !table.isTaken('GET', `${shown.path}/${name}`)
      if (holdsFiles(field) && isFree) addDownload(api, engine, shown, name, field)
    }
  }
}
