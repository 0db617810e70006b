import { sql } from 'kysely'
import { minuteMs } from '#schema/format/durations.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { fits } from '#server/fleet/firmware/firmware-sql.ts'
import { lockUpdates } from '#server/fleet/firmware/updates/update-rows.ts'
import { type Move, moveUpdate, queueUpdate } from '#server/fleet/firmware/updates/update-store.ts'
import { injectFaults } from './fault-store.ts'
import type { FaultKind } from './faults.ts'
import { isPlayed } from './load-fleet.ts'

type Fit = { controlPcbId: string; essId: string; fromVersion: string; firmwareId: string; toVersion: string }

/** Online boards with the newest released firmware that fits and is newer than theirs. */
const fitting = (db: Queryable, now: Date): Promise<Fit[]> =>
  rowsOf(
    db,
    sql<Fit>`select distinct on ("b"."id") "b"."id" as "controlPcbId", "b"."essId", "s"."firmwareVersion" as "fromVersion", "f"."id" as "firmwareId",
        "f"."firmwareVersion" as "toVersion" from "control_pcb" "b" join "boardState" "s" on "s"."controlPcbId" = "b"."id"
      join "firmware" "f" on "f"."status" = 'RELEASED' and ${fits('f', 'b')}
      where ${isPlayed} and "b"."role" = 'MAIN' and "b"."lifecycle" = 'ACTIVE' and "s"."lastValidPacketAt" > ${new Date(now.getTime() - 2 * minuteMs)}
        and string_to_array("f"."firmwareVersion", '.')::int[] > string_to_array("s"."firmwareVersion", '.')::int[]
        and not exists (select 1 from "simulatorFault" "x" where "x"."controlPcbId" = "b"."id" and "x"."endsAt" > ${now})
      order by "b"."id", string_to_array("f"."firmwareVersion", '.')::int[] desc`,
  )

type Plot = {
  /** Fault during the update, and its duration. */
  trouble?: { kind: FaultKind; lastsMs: number }
  /** Past states by age in minutes. */
  past?: readonly (Pick<Move, 'to' | 'progressPct'> & { minAgo: number })[]
}

/** One nearly confirmed, one rolled back, one that fails and is retried, two without problems. */
const plots: readonly Plot[] = [
  {
    past: [
      { to: 'DOWNLOADING', progressPct: 0, minAgo: 11 },
      { to: 'VERIFYING', progressPct: 100, minAgo: 10 },
      { to: 'INSTALLING', progressPct: 100, minAgo: 9.8 },
      { to: 'REBOOTING', progressPct: 100, minAgo: 9.4 },
      { to: 'CONFIRMING', progressPct: 100, minAgo: 9 },
    ],
  },
  { trouble: { kind: 'UPDATE_ROLLS_BACK', lastsMs: 10 * minuteMs } },
  { trouble: { kind: 'UPDATE_FAILS', lastsMs: minuteMs / 2 } },
  {},
  {},
]

/** The board has already started the new version. */
async function isNew(db: Queryable, { controlPcbId, fromVersion, toVersion }: Fit, since: Date, now: Date): Promise<void> {
  const uptimeS = Math.round((now.getTime() - since.getTime()) / 1000)
  await sql`update "boardState" set "firmwareVersion" = ${toVersion}, "previousVersion" = ${fromVersion}, "firmwareReportedAt" = ${now},
    "lastResetReason" = 'FW_UPDATE', "uptimeS" = ${uptimeS}, "rebootCount" = coalesce("rebootCount", 0) + 1
    where "controlPcbId" = ${controlPcbId}`.execute(db)
}

async function playPast(db: Queryable, fit: Fit, id: string, past: NonNullable<Plot['past']>, now: Date): Promise<void> {
  for (const { minAgo, to, progressPct } of past) {
    const at = new Date(now.getTime() - minAgo * minuteMs)
    const [update] = await lockUpdates(db, sql`"id" = ${id}`)
    if (update)
      await moveUpdate(
        db,
        update,
        { to, source: 'BOARD', ...(progressPct === undefined ? {} : { progressPct }), confirmedPackets: 0 },
        at,
      )
    if (to === 'CONFIRMING') await isNew(db, fit, at, now)
  }
}

/** Initial updates of a demo fleet, requested by its admin. The simulated boards decide their outcome. */
export async function requestDemoUpdates(db: Queryable, now: Date): Promise<void> {
  const admin = await rowOf(db, sql<{ id: string }>`select "id" from "user" where "email" = 'admin@example.com'`)
  const fits = await fitting(db, now)
  for (const [index, { trouble, past }] of plots.entries()) {
    const fit = fits[index]
    if (!fit) return
    const { controlPcbId, essId, firmwareId, fromVersion, toVersion } = fit
    const at = past ? new Date(now.getTime() - 12 * minuteMs) : now
    const asked = { controlPcbId, essId, firmwareId, fromVersion, toVersion, kind: 'UPGRADE', attempt: 1, maxAttempts: 3 }
    const id = await queueUpdate(db, { ...asked, retryOfId: null, requestedBy: admin?.id ?? null, source: 'USER' }, at)
    if (past) await playPast(db, fit, id, past, now)
    if (trouble)
      await injectFaults(db, [
        { controlPcbId, kind: trouble.kind, fromMs: now.getTime(), toMs: now.getTime() + trouble.lastsMs },
      ])
  }
}
