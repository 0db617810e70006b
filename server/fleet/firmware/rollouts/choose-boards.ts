import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { fits } from '#server/fleet/firmware/firmware-sql.ts'
import type { Rollout } from '#server/fleet/firmware/waves/rollout-store.ts'
import { compareVersions } from '#server/fleet/shared/compare-versions.ts'
import { connectionRank } from '#server/fleet/shared/connection-sql.ts'
import { counting } from '#server/fleet/shared/health-sql.ts'
import { type Choosable, type Chosen, inOrder } from './order-boards.ts'

/** Boards of the first wave whose choice is kept. */
export const mostShown = 10

type Fitting = Choosable & { currentVersion: string | null; firmwareVersion: string; hardwareRevision: string }

/** Online, not at an update, and without a warning that is more than a note. */
const isReady = sql<boolean>`coalesce(${connectionRank} = 1, false)
  and not exists (select 1 from "firmware_update" "u" where "u"."controlPcbId" = "b"."id" and "u"."finishedAt" is null)
  and not exists (select 1 from "telemetry_warning" "w" where ("w"."controlPcbId" = "b"."id" or "w"."essId" = "b"."essId")
    and "w"."severity" <> 'INFO' and ${counting})`

/**
 * The boards that were chosen, in the order in which they are asked; without a choice every one that works, is fitted by the
 * firmware, and runs an older one.
 */
export async function boardsFor(db: Queryable, { id, firmwareId }: Rollout, chosen: unknown): Promise<Chosen<Fitting>[]> {
  const ids = Array.isArray(chosen) && chosen.length > 0 ? chosen.map(String) : null
  const rows = await rowsOf(
    db,
    sql<Fitting>`select "b"."id", "s"."firmwareVersion" as "currentVersion", "f"."firmwareVersion", "b"."hardwareRevision",
        concat_ws(' ', "b"."product", "b"."hardwareRevision", "s"."firmwareVersion", "e"."chemistry") as "sort", ${isReady} as "isReady"
      from "control_pcb" "b" cross join "firmware" "f" left join "boardState" "s" on "s"."controlPcbId" = "b"."id"
      left join "ess" "e" on "e"."id" = "b"."essId"
      where "f"."id" = ${firmwareId} and (${ids}::text[] is null and "b"."lifecycle" = 'ACTIVE' and ${fits('f', 'b')}
        or "b"."id" = any(${ids}::text[])) order by md5(${id} || "b"."id")`,
  )
  const isOlder = ({ currentVersion, firmwareVersion }: Fitting) =>
    currentVersion !== null && compareVersions(currentVersion, firmwareVersion) < 0
  return inOrder(rows.filter((board) => ids !== null || isOlder(board)))
}

/** Keeps why the first boards were chosen: what is known of them changes with the rollout. */
export async function keepFirst(db: Queryable, rolloutId: string, boards: readonly Chosen<Fitting>[]): Promise<void> {
  const choices = boards.map(({ id, isReady, hardwareRevision, currentVersion, alike }) => ({
    id,
    choice: { fitness: isReady ? 'READY' : 'NOT_READY', hardwareRevision, fromVersion: currentVersion, alike },
  }))
  await sql`update "rolloutTarget" "x" set "choice" = "c"."choice"
    from jsonb_to_recordset(${JSON.stringify(choices)}::jsonb) as "c" ("id" text, "choice" jsonb)
    where "x"."rolloutId" = ${rolloutId} and "x"."controlPcbId" = "c"."id" and "x"."wave" = 1`.execute(db)
}

/** The first boards of rollout "t", and what spoke for them. */
export const firstBoardsSql = sql`(select coalesce(jsonb_agg("x"."choice" || jsonb_build_object('board', "b"."id",
    'boardRef', jsonb_build_object('id', "b"."id", 'code', "b"."code")) order by "b"."code"), '[]')
  from "rolloutTarget" "x" join "control_pcb" "b" on "b"."id" = "x"."controlPcbId"
  where "x"."rolloutId" = "t"."id" and "x"."choice" is not null)`
