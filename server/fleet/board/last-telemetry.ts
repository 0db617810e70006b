import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { fleetStaff } from '#schema/roles.ts'
import { problem } from '#server/base/problems.ts'
import { isoTime } from '#server/db/iso-time.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import type { ResourceRules, Row } from '#server/engine/records/resource-rules.ts'
import { asAnswered } from '#server/engine/routes/record-routes.ts'
import { idParams } from '#server/engine/routes/route-schemas.ts'
import { latestConfiguration } from '#server/fleet/configuration/configuration-state.ts'
import { connectionCause } from '#server/fleet/shared/connection-sql.ts'
import { isFresh, isOfSite } from '#server/fleet/shared/fleet-sql.ts'
import { rangesInForce } from '#server/fleet/warning/limits/ranges-in-force.ts'

type Channel = { value: number | string | null; unit: string | null; quality: string }
type Found = { at: string | null; isFresh: boolean; sample: Record<string, Channel> | null; board: Row }

const channel = z.object({
  value: z.union([z.number(), z.string()]).nullable(),
  unit: z.string().nullable(),
  quality: z.string(),
  ageMs: z.int().nullable(),
})
/** Latest sample of a site or a board; `board` is for staff only. */
export const lastTelemetryAnswer = z.looseObject({
  at: z.string().nullable(),
  ageMs: z.int().nullable(),
  stale: z.boolean(),
  channels: z.record(z.string(), channel),
  board: z.record(z.string(), z.unknown()).nullish(),
})

/** Age of a sample; the clock of a board may be some minutes ahead. */
const ageOf = (at: string | null, now: Date) => (at === null ? null : Math.max(0, now.getTime() - Date.parse(at)))

/** SQL condition: the report "s" was measured at the current site under its current owner; older values are for staff only. */
export const measuredForOwner = (board: 't' | 'b') => sql<boolean>`"s"."lastSampleAt" >= greatest(
  (select "e"."ownerSince" from "ess" "e" where "e"."id" = ${sql.id(board, 'essId')}),
  (select max("a"."attachedAt") from "control_pcb_attachment" "a" where "a"."controlPcbId" = ${sql.id(board, 'id')} and "a"."removedAt" is null),
  '-infinity')`

/** Which newest sample of a board is shown: any, one of its present site, or one of its site under its present owner. */
const shownTo = {
  board: sql<boolean>`true`,
  staff: isOfSite('lastSampleAt'),
  owner: measuredForOwner('t'),
}

type Asked = { where: RawBuilder<boolean>; now: Date; shown?: keyof typeof shownTo }

/** The newest sample of the selected board "t", with the age of every value. */
export async function lastTelemetry(db: Queryable, { where, now, shown = 'board' }: Asked) {
  const sample = sql`case when ${shownTo[shown]} then "s"."sample" end`
  const found = await rowOf(
    db,
    sql<Found>`select ${isoTime(sql`"s"."lastSampleAt"`)} as "at", ${isFresh(now)} as "isFresh", ${sample} as "sample", jsonb_build_object('id', "t"."id", 'code', "t"."code",
        'cause', ${connectionCause}, 'configuration', coalesce("s"."reported", "c"."desired")) as "board"
      from "control_pcb" "t" left join "boardState" "s" on "s"."controlPcbId" = "t"."id"
      left join lateral ${latestConfiguration} "c" on true where ${where}`,
  )
  const at = found?.sample ? found.at : null
  const ageMs = ageOf(at, now)
  const channels = Object.entries(found?.sample ?? {}).map(([name, channel]) => [name, { ...channel, ageMs }])
  return {
    at,
    ageMs,
    stale: at === null || !found?.isFresh,
    channels: Object.fromEntries(channels),
    board: found?.board ?? null,
  }
}

/** Route of the newest sample of any board, including modules and boards without an ESS. */
export const boardTelemetryRoute: NonNullable<ResourceRules['routes']> = (api, { withoutTransaction }) => {
  const schema = {
    summary: 'The newest sample of a board',
    tags: ['control-pcb'],
    params: idParams,
    response: { 200: lastTelemetryAnswer },
  }
  const config = { access: fleetStaff }
  api.get('/control-pcb/:id/last-telemetry', { schema, config, ...asAnswered }, (request) =>
    withoutTransaction(request, async ({ db, now }) => {
      const { id } = request.params
      const found = await lastTelemetry(db, { where: sql`"t"."id" = ${id}`, now })
      if (!found.board) throw problem('not-found')
      return { controlPcbId: id, ...found, board: { ...found.board, ranges: await rangesInForce(db, id) } }
    }),
  )
}
