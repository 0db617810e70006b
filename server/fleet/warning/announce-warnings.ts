import { sql } from 'kysely'
import type { Severity } from '#resources/fleet/warnings/levels.ts'
import { addEvents, type Change } from '#server/db/events/add-events.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { keepPlaces } from '#server/fleet/shared/keep-attention.ts'

/** Location of a warning: a board with its ESS, or an ESS alone. */
export type Place = { controlPcbId: string | null; essId: string | null }

/** Key of a place, by which the openings of a warning are counted. */
export const placeKey = ({ controlPcbId, essId }: Place): string => controlPcbId ?? essId ?? ''

export type ChangedWarning = Place & { id: string; version: number }

/** Updates the priority keys of boards and systems and announces them with their warnings. */
export async function announceWarnings(
  db: Queryable,
  warnings: readonly ChangedWarning[],
  type: Change['type'],
  now: Date,
): Promise<void> {
  if (warnings.length === 0) return
  const [boards, systems] = [warnings.map(({ controlPcbId }) => controlPcbId), warnings.map(({ essId }) => essId)]
  const places = await rowsOf(
    db,
    sql<
      Omit<Change, 'type'>
    >`select 'control-pcb' as "resource", "id", "version" from "control_pcb" where "id" = any(${sql.val(boards)}::text[])
      union all select 'ess', "id", "version" from "ess" where "id" = any(${sql.val(systems)}::text[])`,
  )
  await keepPlaces(db, { boards, systems })
  await addEvents(
    db,
    [
      ...warnings.map(({ id, version }): Change => ({ resource: 'telemetry-warning', id, version, type })),
      ...places.map((place): Change => ({ ...place, type: 'updated' })),
    ],
    now,
  )
}

/** Queues notifications of warnings by each recipient's settings. */
export async function addNotices(
  db: Queryable,
  warnings: readonly { id: string; severity: Severity }[],
  now: Date,
): Promise<void> {
  if (warnings.length === 0) return
  const [ids, severities] = [warnings.map(({ id }) => id), warnings.map(({ severity }) => severity)]
  await sql`insert into "warningNotice" ("warningId", "severity", "dueAt")
    select "u".*, ${now}::timestamptz from unnest(${sql.val(ids)}::text[], ${sql.val(severities)}::text[]) as "u"`.execute(db)
}
