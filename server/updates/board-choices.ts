import { sql } from 'kysely'
import { isServing } from '#server/domain/served.ts'
import type { RecordTools, ResourceRules } from '#server/records/resource-rules.ts'
import { listSchema } from '#server/records/route-schemas.ts'
import { unchecked } from '#server/records/routes.ts'

const readers = ['admin', 'moderator', 'service_engineer'] as const

const servedBy = (userId: string) => sql<boolean>`exists (select 1 from "service_engineer" "r"
  where ${isServing(userId, sql`"t"."essId"`)} and "r"."scope" = 'FULL')`

/** The boards for which the caller may ask an update: of an engineer, those of his sites. What stands in their way, the pre-check tells. */
export function boardChoices(api: Parameters<NonNullable<ResourceRules['routes']>>[0], { list, context }: RecordTools): void {
  const schema = {
    summary: 'Boards for which an update may be requested',
    tags: ['control-pcb'],
    ...listSchema(context.definitions, 'control-pcb'),
  }
  api.get('/control-pcb/for-request-update', { schema, config: { access: readers }, ...unchecked }, (request, reply) => {
    const { caller } = request
    const where = caller?.role === 'service_engineer' ? servedBy(caller.userId) : sql<boolean>`true`
    return list(request, reply, { resource: 'control-pcb', where })
  })
}
