import { sql } from 'kysely'
import type { Queryable } from '#server/db/query.ts'
import type { Group } from './choose-boards.ts'
import type { Placed } from './order-boards.ts'

/** Number of first-wave boards whose reasons are stored. */
export const mostShown = 10

/** Stores why the first boards were chosen: the facts change during the rollout. */
export async function keepFirst(db: Queryable, rolloutId: string, boards: readonly Placed<Group>[]): Promise<void> {
  const choices = boards.map(({ id, alike, of: { fitness, hardwareRevision, currentVersion } }) => ({
    id,
    choice: { fitness, hardwareRevision, fromVersion: currentVersion, alike },
  }))
  await sql`update "rolloutTarget" "x" set "choice" = "c"."choice"
    from jsonb_to_recordset(${JSON.stringify(choices)}::jsonb) as "c" ("id" text, "choice" jsonb)
    where "x"."rolloutId" = ${rolloutId} and "x"."controlPcbId" = "c"."id" and "x"."wave" = 1`.execute(db)
}

/** The first boards of rollout "t", and the reasons for them. */
export const firstBoardsSql = sql`(select
    coalesce(jsonb_agg("x"."choice" || jsonb_build_object('board', "b"."id") order by "b"."code"), '[]')
  from "rolloutTarget" "x" join "control_pcb" "b" on "b"."id" = "x"."controlPcbId"
  where "x"."rolloutId" = "t"."id" and "x"."choice" is not null)`
