import { sql } from 'kysely'
import { readWindow } from '#resources/fleet/week-window.ts'
import type { ServerReason } from '#schema/server-reasons.ts'
import type { Database } from '#server/db/connect.ts'
import { eachInTurn } from '#server/db/jobs/each-in-turn.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { isVersion, versionNumbers } from '#server/db/version-sql.ts'
import { addServerAudit } from '#server/engine/audit/audit-entry.ts'
import { hasSoundFile } from '#server/fleet/firmware/firmware-file.ts'
import { fits } from '#server/fleet/firmware/firmware-sql.ts'
import { connectionRank } from '#server/fleet/shared/connection-sql.ts'
import { candidateOf, isInstalled, preChecks, updateKindOf } from './pre-checks.ts'
import { lockRequests } from './update-rows.ts'
import { queueUpdate } from './update-store.ts'
import { mayBegin } from './update-window.ts'

/**
 * Throttle in boards per run: 1500 an hour, all 100 000 of a fleet within three days. Images of maximum size then take 7 MB/s,
 * and a harmful release shows at the first boards before most of the fleet has it.
 */
export const mostPerRun = 25
/** Candidates per run: blocked ones must not starve the others. */
const mostLookedAt = 100
/**
 * Size of the random sample of outdated boards whose settings are read. In a fleet of 100 000 each board is drawn about every
 * half hour, and the query takes a second at most.
 */
const mostDrawn = 5_000

type Behind = { controlPcbId: string; firmwareId: string; window: unknown; zone: string }

type Offer = { product: string; hardwareRevision: string; firmwareVersion: string; firmwareId: string; toVersion: string }

/**
 * Each kind of board (product, hardware and version) with the newest released firmware for it: few rows, however large the
 * fleet.
 */
const offers = sql<Offer>`select distinct on ("k"."product", "k"."hardwareRevision", "k"."firmwareVersion") "k".*, "f"."id" as "firmwareId", "f"."firmwareVersion" as "toVersion"
  from (select distinct "b"."product", "b"."hardwareRevision", "s"."firmwareVersion" from "control_pcb" "b" join "boardState" "s" on "s"."controlPcbId" = "b"."id"
    where "b"."lifecycle" = 'ACTIVE' and ${isVersion(sql`"s"."firmwareVersion"`)}) "k"
  join "firmware" "f" on "f"."status" = 'RELEASED' and ${fits('f', 'k')} and ${hasSoundFile}
    and ${versionNumbers(sql`"f"."firmwareVersion"`)} > ${versionNumbers(sql`"k"."firmwareVersion"`)}
    and ("f"."minFromVersion" is null or ${versionNumbers(sql`"f"."minFromVersion"`)} <= ${versionNumbers(sql`"k"."firmwareVersion"`)})
  order by "k"."product", "k"."hardwareRevision", "k"."firmwareVersion", ${versionNumbers(sql`"f"."firmwareVersion"`)} desc`

/** Failed or cancelled updates are retried manually only. A board that never fetched the file may be requested again. */
const wasTried = sql`exists (select 1 from "firmware_update" "u" where "u"."controlPcbId" = "b"."id" and ("u"."finishedAt" is null
  or "u"."toVersion" = "o"."toVersion" and ("u"."status" in ('FAILED', 'ROLLED_BACK', 'CANCELED')
    or "u"."status" = 'EXPIRED' and "u"."failureCode" is distinct from 'OFFLINE')))`

/** A firmware in a rollout is installed by the rollout only; boards of a stopped one keep their version. */
const isRolledOut = sql`exists (select 1 from "rollout" "r" where "r"."firmwareId" = "o"."firmwareId" and ("r"."status" in ('RUNNING', 'PAUSED')
  or "r"."status" = 'STOPPED' and exists (select 1 from "rolloutTarget" "x" where "x"."rolloutId" = "r"."id" and "x"."controlPcbId" = "b"."id")))`

const mayWish = sql`exists (select 1 from "configuration" "a" where "a"."controlPcbId" = "b"."id" and "a"."desired"->>'autoUpdate' = 'true')`

/** The board "s" has applied the setting, or does not report it: then it is a setting of the server. */
const isTaken = sql`"s"."reported" is not null and coalesce("s"."reported"->>'autoUpdate', 'true') = 'true'`

/** Boards "d" whose configuration "c" enables automatic updates, that are online, and whose ESS "e" is not in maintenance. */
const willing = (
  now: Date,
) => sql`join lateral (select "desired" from "configuration" where "controlPcbId" = "d"."id" order by "version" desc limit 1) "c"
      on "c"."desired"->>'autoUpdate' = 'true'
    join "boardState" "s" on "s"."controlPcbId" = "d"."id" and ${isTaken} and ${connectionRank} <= 2
    join "ess" "e" on "e"."id" = "d"."essId" and coalesce(("e"."maintenance"->>'until')::timestamptz <= ${now}, true)`

/** Candidates for automatic updates: enabled, online and not in maintenance; unordered. */
const behind = (offered: readonly Offer[], now: Date) => sql<Behind>`with "drawn" as materialized (
    select "b"."id", "b"."essId", "o"."firmwareId" from "boardState" "s" join "control_pcb" "b" on "b"."id" = "s"."controlPcbId"
      join jsonb_to_recordset(${JSON.stringify(offered)}::jsonb)
        as "o" ("product" text, "hardwareRevision" text, "firmwareVersion" text, "firmwareId" text, "toVersion" text)
        on "o"."product" = "b"."product" and "o"."hardwareRevision" = "b"."hardwareRevision" and "o"."firmwareVersion" = "s"."firmwareVersion"
    where "b"."lifecycle" = 'ACTIVE' and "b"."essId" is not null and ${mayWish} and not ${wasTried} and not ${isRolledOut}
    order by random() limit ${mostDrawn})
  select "d"."id" as "controlPcbId", "d"."firmwareId", "c"."desired"->'maintenanceWindow' as "window",
    coalesce("c"."desired"->>'timezone', "e"."location"->>'timezone', 'UTC') as "zone"
  from "drawn" "d" ${willing(now)} order by random()`

/** Rechecks a candidate: its configuration or maintenance may have changed. */
const isStill = ({ controlPcbId, firmwareId }: Behind, now: Date) => sql`select 1 from "control_pcb" "b"
  cross join (select ${firmwareId}::text as "firmwareId") "o" join lateral (select "b"."id", "b"."essId") "d" on true ${willing(now)}
  where "b"."id" = ${controlPcbId} and not ${isRolledOut}`

/** Requests the update of one board when no check blocks it. */
async function ask(db: Queryable, board: Behind, now: Date): Promise<boolean> {
  const { controlPcbId, firmwareId } = board
  await lockRequests(db, board)
  if (!(await rowOf(db, isStill(board, now)))) return false
  const candidate = await candidateOf(db, controlPcbId, firmwareId)
  // Checked as a moderator: firmware under test is never installed automatically.
  if (!candidate || isInstalled(candidate) || preChecks(candidate, 'moderator').some(({ ok }) => !ok)) return false
  const { essId, currentVersion, firmwareVersion, window } = candidate
  const asked = { controlPcbId, essId, firmwareId, fromVersion: currentVersion, toVersion: firmwareVersion, window }
  const first = { kind: updateKindOf(candidate), attempt: 1, maxAttempts: 3, retryOfId: null, requestedBy: null }
  const id = await queueUpdate(db, { ...asked, ...first, source: 'SERVER', note: { code: 'AUTOMATIC' } }, now)
  const entry = { action: 'create', entityType: 'firmware-update', entityId: id, code: firmwareVersion, after: asked }
  await addServerAudit(db, { ...entry, reason: 'automatic-update' satisfies ServerReason, at: now })
  return true
}

const anyWish = sql`select 1 from "configuration" where "desired"->>'autoUpdate' = 'true' limit 1`

/** Requests updates for boards with automatic updates, a bounded number per run. Returns their number. */
export async function requestAutomatic(database: Database, now: Date): Promise<number> {
  if (!(await rowOf(database.kysely, anyWish))) return 0
  const offered = await rowsOf(database.kysely, offers)
  if (offered.length === 0) return 0
  const found = await rowsOf(database.kysely, behind(offered, now))
  const open = found.filter(({ window, zone }) => mayBegin(readWindow(window), now, zone)).slice(0, mostLookedAt)
  let asked = 0
  const request = async (board: Behind) => {
    if (asked < mostPerRun && (await inTransaction(database, (db) => ask(db, board, now)))) asked += 1
  }
  await eachInTurn(open, ({ controlPcbId }) => `board ${controlPcbId}`, request)
  return asked
}
