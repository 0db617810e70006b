import { sql } from 'kysely'
import { minuteMs } from '#schema/format/durations.ts'
import type { Database } from '#server/db/connect.ts'
import { addEvents } from '#server/db/events/add-events.ts'
import { jobsSince } from '#server/db/jobs/lease.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { configurationState, latestConfiguration } from '#server/fleet/configuration/configuration-state.ts'
import { connectionRank } from '#server/fleet/shared/connection-sql.ts'

/** Time for a board that is online: in minutes, and at least in report intervals, since it may be silent in between. */
const patience = { ms: 30 * minuteMs, reports: 4 } as const
/** Days for a board that is silent: it has them to come back, as for an update. */
const daysSilent = 7

type Outcome = { rolloutId: string; controlPcbId: string; wave: number; version: number }

const intervalS = sql`greatest(coalesce("s"."reportIntervalS", 60), coalesce(("c"."desired"->>'reportIntervalS')::int4, 0))`

/** Follows a configuration that a rollout has brought to a board. */
export async function addOutcome(db: Queryable, { rolloutId, controlPcbId, wave, version }: Outcome, now: Date): Promise<void> {
  await sql`insert into "rolloutConfiguration" ("rolloutId", "controlPcbId", "wave", "version", "isOnline", "startedAt", "deadlineAt")
    select ${rolloutId}, ${controlPcbId}, ${wave}::int4, ${version}::int4, "o"."isOnline", ${now}::timestamptz,
      ${now}::timestamptz + case when "o"."isOnline" then greatest(make_interval(secs => ${patience.ms / 1000}),
        make_interval(secs => ${patience.reports} * "o"."intervalS")) else make_interval(days => ${daysSilent}) end
    from (select coalesce(${connectionRank} = 1, false) as "isOnline", ${intervalS} as "intervalS"
      from "configuration" "c" left join "boardState" "s" on "s"."controlPcbId" = "c"."controlPcbId"
      where "c"."controlPcbId" = ${controlPcbId} and "c"."version" = ${version}) "o"`.execute(db)
}

/** After an outage of all servers a board gets five minutes to report. */
const wasHeard = sql`coalesce(${jobsSince} <= greatest("o"."startedAt", now() - interval '5 minutes'), true)`

const isRejected = sql`("v"."outcome" = 'REJECTED' or "s"."rejectedVersion" = "o"."version")`
const isLate = (now: Date) => sql`"o"."deadlineAt" <= ${now} and ${wasHeard}`

/**
 * State of the open outcome "o": of version "v", with the newest one "c" and the reports "s". A version that was replaced before
 * the board took it is cancelled; one that the board has taken first has succeeded.
 */
const judged = (now: Date) => sql`case when ${isRejected} then 'FAILED'
  when "c"."version" is null then 'CANCELED'
  when "c"."version" > "o"."version" then case when "v"."outcome" = 'APPLIED' then 'SUCCEEDED' else 'CANCELED' end
  when ${configurationState} = 'IN_SYNC' then 'SUCCEEDED' when ${isLate(now)} then 'FAILED' end`

/**
 * Settles the configurations that rollouts have brought, in one statement for all boards and rollouts, and announces those
 * rollouts. Runs before the rollouts advance, so that no board begins after too many failures.
 */
export async function settleConfigurations(database: Database, now: Date): Promise<void> {
  await inTransaction(database, async (db) => {
    const settled = await rowsOf(
      db,
      sql<{
        id: string
        version: number
      }>`with "done" as (update "rolloutConfiguration" "o" set "state" = "j"."state", "finishedAt" = ${now},
          "failure" = case when "j"."state" = 'FAILED' then case when "j"."isRejected" then 'REJECTED' else 'TIMEOUT' end end
        from (select "o"."rolloutId", "o"."controlPcbId", ${judged(now)} as "state", ${isRejected} as "isRejected"
          from "rolloutConfiguration" "o" join lateral (select "o"."controlPcbId" as "id") "t" on true
            left join lateral ${latestConfiguration} "c" on true left join "boardState" "s" on "s"."controlPcbId" = "o"."controlPcbId"
            left join "configuration" "v" on "v"."controlPcbId" = "o"."controlPcbId" and "v"."version" = "o"."version"
          where "o"."finishedAt" is null) "j"
        where "o"."rolloutId" = "j"."rolloutId" and "o"."controlPcbId" = "j"."controlPcbId" and "j"."state" is not null
        returning "o"."rolloutId")
      select "id", "version" from "rollout" where "id" in (select "rolloutId" from "done")`,
    )
    await addEvents(
      db,
      settled.map(({ id, version }) => ({ resource: 'rollout', id, version, type: 'updated' as const })),
      now,
    )
  })
}
