import { sql } from 'kysely'
import { z } from 'zod'
import { isFleetStaff, roles, staff } from '#schema/roles.ts'
import { callerOf } from '#server/base/caller.ts'
import { problem } from '#server/base/problems.ts'
import { rowOf, rowsOf } from '#server/db/query.ts'
import type { RecordTools, ResourceRules } from '#server/engine/records/resource-rules.ts'
import { plausible } from '#server/engine/records/show-record.ts'
import { asAnswered, unchecked } from '#server/engine/routes/record-routes.ts'
import { idParams, listSchema, peopleFields, peopleSchema } from '#server/engine/routes/route-schemas.ts'
import { lastTelemetry, lastTelemetryAnswer } from '#server/fleet/board/last-telemetry.ts'
import { isLiveRelation } from '#server/fleet/shared/assignment-sql.ts'
import { openSystems, peopleWith, relatedSystems, relationNames } from '#server/fleet/shared/ess-relations.ts'

const userParams = z.object({ userId: z.string().min(1).max(64) })
const relationQuery = z.union([z.enum(relationNames), z.array(z.enum(relationNames)).max(relationNames.length)])
const openQuery = z.enum(['true', 'false'])
const notAmong = (path: string, choices: readonly string[]) =>
  problem('invalid', { faults: [{ path, code: 'not-a-choice', params: { choices: choices.join(', ') } }] })

const outsiders = roles.filter((role) => !isFleetStaff(role))

/** People beside the staff who may see these ESS. */
export const outsidersOf: NonNullable<ResourceRules['recipients']> = (db, ids) =>
  rowsOf(db, sql<{ id: string; userId: string }>`${peopleWith(outsiders, ids)}`)

/** Fields of an ESS for non-staff: no packets, boards or other users. */
const publicFields = [
  'code',
  'name',
  'model',
  'profile',
  'chemistry',
  'lifecycle',
  'ratedEnergyWh',
  'ratedChargePowerW',
  'ratedDischargePowerW',
  'pvPeakPowerW',
  'installedAt',
  'warrantyUntil',
  'location',
  'connection',
  'health',
  'maintenance',
]

/** Users who may be invited: right role, active, not the owner, and neither related nor invited yet. */
const invitable = (table: 'guest' | 'service_engineer', role: string, essId: string) =>
  sql<boolean>`"t"."role" = ${role} and "t"."lockedAt" is null and "t"."deletedAt" is null
    and not exists (select 1 from "ess" "e" where "e"."id" = ${essId} and "e"."ownerId" = "t"."id")
    and not exists (select 1 from ${sql.table(table)} "r" where "r"."essId" = ${essId} and "r"."userId" = "t"."id" and ${isLiveRelation})`

function inviteLists(api: Parameters<NonNullable<ResourceRules['routes']>>[0], { list, show, context }: RecordTools): void {
  const lists = [
    {
      path: '/ess/:id/clients-to-invite',
      table: 'guest',
      role: 'client',
      summary: 'Clients who can be invited as guests of an ESS',
    },
    {
      path: '/ess/:id/service-engineer-to-invite',
      table: 'service_engineer',
      role: 'service_engineer',
      summary: 'Engineers who can be invited to an ESS',
    },
  ] as const
  for (const { path, table, role, summary } of lists) {
    const schema = { summary, tags: ['ess'], params: idParams, ...peopleSchema(context.definitions) }
    api.get(path, { schema, config: { access: staff }, ...unchecked }, async (request, reply) => {
      const id = plausible(request.params.id)
      await show(request, 'ess', id)
      return list(request, reply, {
        resource: 'user',
        where: invitable(table, role, id),
        ...peopleFields,
      })
    })
  }
}

/** Lists and readings that do not derive from a definition: by user, invitable users, the newest sample. */
export const essRoutes: NonNullable<ResourceRules['routes']> = (api, tools) => {
  inviteLists(api, tools)

  const ofUser = listSchema(tools.context.definitions, 'ess')
  const byUser = {
    summary: 'ESS that a user has to do with; without `relation`, those that he owns or is a guest of',
    tags: ['ess'],
    params: userParams,
    ...ofUser,
    querystring: ofUser.querystring.extend({
      relation: z.array(z.enum(relationNames)).optional().meta({ description: 'How' }),
      open: z
        .boolean()
        .optional()
        .meta({ description: 'Only those that the relation opens: to an installer before the handover' }),
    }),
  }
  api.get('/ess/by-user/:userId', { schema: byUser, config: { access: 'user' }, ...unchecked }, async (request, reply) => {
    const userId = plausible(request.params.userId)
    const caller = callerOf(request)
    const isStaff = isFleetStaff(caller.role)
    if (!isStaff && caller.userId !== userId) throw problem('not-found')
    const sent = Object(request.query)
    const asked = relationQuery.safeParse(sent.relation ?? ['owner', 'guest'])
    if (!asked.success) throw notAmong('relation', relationNames)
    const open = openQuery.safeParse(sent.open ?? 'false')
    if (!open.success) throw notAmong('open', openQuery.options)
    const wanted = typeof asked.data === 'string' ? [asked.data] : asked.data
    const condition = open.data === 'true' ? 'opens' : 'holds'
    const ids = isStaff ? relatedSystems(wanted, userId, condition) : openSystems(caller, wanted)
    const where = sql<boolean>`"t"."id" in ${ids}`
    return tools.list(request, reply, {
      resource: 'ess',
      where,
      ignore: ['relation', 'open'],
      ...(isStaff ? {} : { fields: publicFields }),
    })
  })

  const newest = {
    summary: 'The newest sample of the main board of an ESS',
    tags: ['ess'],
    params: idParams,
    response: { 200: lastTelemetryAnswer },
  }
  api.get('/ess/:id/last-telemetry', { schema: newest, config: { access: 'user' }, ...asAnswered }, async (request) =>
    tools.withoutTransaction(request, async ({ db, caller, now }) => {
      const { id } = request.params
      const isStaff = isFleetStaff(caller.role)
      const visible = isStaff ? sql`true` : sql`"t"."id" in ${openSystems(caller)}`
      const ess = await rowOf(db, sql`select 1 from "ess" "t" where "t"."id" = ${id} and ${visible}`)
      if (!ess) throw problem('not-found')
      const where = sql<boolean>`"t"."essId" = ${id} and "t"."role" = 'MAIN'`
      const { board, ...sample } = await lastTelemetry(db, { where, now, shown: isStaff ? 'staff' : 'owner' })
      // Boards and their configuration are for staff only.
      return { essId: id, ...sample, ...(isStaff ? { board } : {}) }
    }),
  )
}
