import { sql } from 'kysely'
import { problem } from '#server/base/problems.ts'
import type { Database } from '#server/db/connect.ts'
import { prepared } from '#server/db/prepared-statements.ts'
import { rowOf, rowsOf } from '#server/db/query.ts'
import type { Segment } from './windows.ts'
import { zoneOr, zonesOf } from './zones.ts'

/** Subject of telemetry: one board, or an ESS with its main boards over time. */
export type Subject = { code: string; zone: string; reportIntervalS: number; segments: readonly Segment[] }
type SubjectIds = { controlPcbId?: string | undefined; essId?: string | undefined }

export const always = { from: '0001-01-01T00:00:00.000Z', to: '9999-12-31T00:00:00.000Z' } as const

type Found = { code: string; zone: string | null; reportIntervalS: number | null }

async function boardSubject(database: Database, id: string): Promise<Subject> {
  const board = await rowOf(
    database.kysely,
    // A board that stands nowhere keeps the days of its last site.
    sql<Found>`${prepared}select "b"."code", "e"."location"->>'timezone' as "zone", "s"."reportIntervalS" from "control_pcb" "b"
      left join "ess" "e" on "e"."id" = coalesce("b"."essId", (select "a"."essId" from "control_pcb_attachment" "a"
        where "a"."controlPcbId" = "b"."id" order by "a"."attachedAt" desc, "a"."id" desc limit 1)) left join "boardState" "s" on "s"."controlPcbId" = "b"."id" where "b"."id" = ${id}`,
  )
  if (!board) throw problem('not-found')
  return { ...(await withZone(database, board)), segments: [{ controlPcbId: id, ...always }] }
}

async function essSubject(database: Database, id: string): Promise<Subject> {
  const ess = await rowOf(
    database.kysely,
    sql<Found>`${prepared}select "e"."code", "e"."location"->>'timezone' as "zone", "s"."reportIntervalS" from "ess" "e"
      left join "control_pcb" "b" on "b"."essId" = "e"."id" and "b"."role" = 'MAIN' left join "boardState" "s" on "s"."controlPcbId" = "b"."id"
      where "e"."id" = ${id}`,
  )
  if (!ess) throw problem('not-found')
  return { ...(await withZone(database, ess)), segments: await mainBoards(database, id) }
}

const mainBoards = ({ kysely }: Database, essId: string): Promise<Segment[]> =>
  rowsOf(
    kysely,
    sql<Segment>`select "controlPcbId", "attachedAt" as "from", coalesce("removedAt", ${always.to}) as "to"
      from "control_pcb_attachment" where "essId" = ${essId} and "role" = 'MAIN' order by "attachedAt"`,
  )

const withZone = async (database: Database, { code, zone, reportIntervalS }: Found) => ({
  code,
  zone: zoneOr(await zonesOf(database), zone),
  reportIntervalS: reportIntervalS ?? 60,
})

/** Throws 404 when the board or ESS does not exist. */
export function subjectOf(database: Database, { controlPcbId, essId }: SubjectIds): Promise<Subject> {
  return controlPcbId ? boardSubject(database, controlPcbId) : essSubject(database, essId ?? '')
}
