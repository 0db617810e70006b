import { sql } from 'kysely'
import { fleetStaff } from '#schema/roles.ts'
import type { RecordTools, ResourceRules } from '#server/engine/records/resource-rules.ts'
import { unchecked } from '#server/engine/routes/record-routes.ts'
import { listSchema } from '#server/engine/routes/route-schemas.ts'
import { mayAct } from '#server/fleet/shared/assignment-sql.ts'

/** Boards that the caller may update; for an engineer those of assigned sites. The pre-check reports obstacles. */
export function boardChoices(api: Parameters<NonNullable<ResourceRules['routes']>>[0], { list, context }: RecordTools): void {
  const schema = {
    summary: 'Boards for which an update may be requested',
    tags: ['control-pcb'],
    ...listSchema(context.definitions, 'control-pcb'),
  }
  api.get('/control-pcb/for-request-update', { schema, config: { access: fleetStaff }, ...unchecked }, (request, reply) => {
    const { caller } = request
    const where = caller?.role === 'service_engineer' ? mayAct(caller.userId, sql`"t"."essId"`) : sql<boolean>`true`
    return list(request, reply, { resource: 'control-pcb', where })
  })
}
