import { sql } from 'kysely'
import { z } from 'zod'
import { fleetStaff } from '#schema/roles.ts'
import { type Label, say } from '#schema/words.ts'
import { languageOf, problem } from '#server/base/problems.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { ResourceRules } from '#server/engine/records/resource-rules.ts'
import { unchecked } from '#server/engine/routes/record-routes.ts'
import { peopleFields, peopleSchema } from '#server/engine/routes/route-schemas.ts'
import { actsAt, essOf, isStaff } from './assignee-sql.ts'

const mostWarnings = 200

const ids = z.union([z.string(), z.array(z.string()).max(mostWarnings)]).transform((given) => [given].flat())
const checkQuery = z.strictObject({
  warningId: ids.meta({ description: 'Warnings that are to be assigned' }),
  userId: z.string().max(64).meta({ description: 'Person who is to get them' }),
})
const check = z.object({ code: z.string(), ok: z.boolean(), text: z.string(), obstacle: z.string(), found: z.string() })
const checked = z.array(z.object({ warningId: z.string(), checks: z.array(check) }))

const serves: Label = ['The person may act on this ESS', 'Человек может работать с этой СНЭ']
const doesNot: Label = [
  'The person does not serve this ESS with full rights',
  'Этот человек не обслуживает эту СНЭ с полными правами',
]

type Place = { id: string; code: string | null; acts: boolean }

/** Permission of a person to act at the systems of some warnings. */
const placesOf = (db: Queryable, warningIds: readonly string[], userId: string) =>
  rowsOf(
    db,
    sql<Place>`select "w"."id", "e"."code", coalesce((select ${isStaff} and ${actsAt(sql`"w"."essId"`)} from "user" "t" where "t"."id" = ${userId}), false) as "acts"
      from "telemetry_warning" "w" left join "ess" "e" on "e"."id" = "w"."essId" where "w"."id" in (${sql.join(warningIds)})`,
  )

/** People to whom a warning can be assigned, and what stands in the way of giving several to one of them. */
export const assigneeRoutes: NonNullable<ResourceRules['routes']> = (api, { list, withoutTransaction, context }) => {
  const { querystring, response } = peopleSchema(context.definitions)
  const parameter = { warningId: z.string().optional().meta({ description: 'Only people who may act on this warning' }) }
  const people = {
    summary: 'People to whom a warning can be assigned',
    tags: ['telemetry-warning'],
    querystring: querystring.extend(parameter),
    response,
  }
  api.get(
    '/telemetry-warning/assignees',
    { schema: people, config: { access: fleetStaff }, ...unchecked },
    (request, reply) => {
      const { warningId } = request.query as { warningId?: unknown }
      const where = typeof warningId === 'string' ? sql<boolean>`${isStaff} and ${actsAt(essOf(warningId))}` : isStaff
      return list(request, reply, { resource: 'user', where, ignore: ['warningId'], ...peopleFields })
    },
  )

  const summary = 'What stands in the way of assigning warnings to a person, per warning'
  const schema = { summary, tags: ['telemetry-warning'], querystring: checkQuery, response: { 200: checked } }
  api.get('/telemetry-warning/assign-check', { schema, config: { access: fleetStaff } }, (request) =>
    withoutTransaction(request, async ({ db }) => {
      const { warningId: asked, userId } = request.query
      const language = languageOf(request)
      const places = new Map((await placesOf(db, asked, userId)).map((place) => [place.id, place]))
      return asked.map((warningId) => {
        const place = places.get(warningId)
        if (!place) throw problem('not-found')
        const texts = { text: say(serves, language), obstacle: say(doesNot, language), found: place.code ?? '' }
        return { warningId, checks: [{ code: 'SERVES', ok: place.acts, ...texts }] }
      })
    }),
  )
}
