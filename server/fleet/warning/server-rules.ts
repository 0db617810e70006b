import { type RawBuilder, sql } from 'kysely'
import type { Severity } from '#resources/fleet/warnings/levels.ts'
import type { WarningCode } from '#resources/fleet/warnings/warning-codes.ts'
import { hourMs } from '#schema/format/durations.ts'
import { jobsSince } from '#server/db/jobs/lease.ts'
import { configurationState, latestConfiguration } from '#server/fleet/configuration/configuration-state.ts'
import { fits } from '#server/fleet/firmware/firmware-sql.ts'
import { failedList } from '#server/fleet/firmware/update-state-machine.ts'
import { boardConnection } from '#server/fleet/shared/connection-sql.ts'

/** A condition that holds at a place now. `held`: below its threshold, but not cleared either (hysteresis). */
export type ServerFinding = {
  controlPcbId: string | null
  essId: string | null
  severity: Severity
  held: boolean
  value: number | null
  threshold: number | null
  unit: string | null
  subject: string | null
  since: string | null
}

/**
 * Rules without a sample: each statement returns the places where its condition holds at `now`. `isSlow`: the statement reads the whole
 * fleet, and what it finds is not urgent.
 */
export type ServerRule = { code: WarningCode; holds: (now: Date) => RawBuilder<ServerFinding>; isSlow?: true }

/** Installed boards "t" in operation with their reports "s". */
const boards = sql`"control_pcb" "t" join "boardState" "s" on "s"."controlPcbId" = "t"."id"
  and "t"."essId" is not null and "t"."lifecycle" in ('ACTIVE', 'QUARANTINED')`

type Columns = {
  severity: RawBuilder<unknown>
  held?: RawBuilder<unknown>
  value?: RawBuilder<unknown>
  threshold?: RawBuilder<unknown>
  unit?: string
  subject?: RawBuilder<unknown>
  since?: RawBuilder<unknown>
}

const none = sql`null`
const columnsOf = ({ severity, held, value, threshold, unit, subject, since }: Columns) =>
  sql`${severity} as "severity", ${held ?? sql`false`} as "held", (${value ?? none})::float8 as "value", (${threshold ?? none})::float8 as "threshold",
    ${unit ?? null}::text as "unit", (${subject ?? none})::text as "subject", (${since ?? none})::timestamptz as "since"`

const ofBoards = (columns: Columns, from: RawBuilder<unknown>, where: RawBuilder<unknown>) =>
  sql<ServerFinding>`select "t"."id" as "controlPcbId", "t"."essId", ${columnsOf(columns)} from ${from} where ${where}`

const warning = sql`'WARNING'`
const graded = (isCritical: RawBuilder<unknown>) => sql`case when ${isCritical} then 'CRITICAL' else 'WARNING' end`

/** The silence of a board at its site: one that came with a past of its own is silent there from then on. */
const silentSince = sql`greatest("s"."lastValidPacketAt", "s"."siteSince")`
const silentH = (now: Date) => sql`extract(epoch from ${now}::timestamptz - ${silentSince}) / 3600`

const share = sql`100.0 * "h"."invalid" / nullif("h"."valid" + "h"."partial" + "h"."invalid", 0)`
const packagesOfHour = (now: Date) =>
  sql`${boards} join (select "controlPcbId", sum("valid") as "valid", sum("partial") as "partial", sum("invalid") as "invalid"
    from "packageHour" where "hour" > ${new Date(now.getTime() - 2 * hourMs)}
    group by 1) "h" on "h"."controlPcbId" = "t"."id" and "h"."valid" + "h"."partial" + "h"."invalid" >= 20`

const withConfiguration = sql`${boards} join lateral ${latestConfiguration} "c" on true`
/** Boards that have refused a version, and those of which a warning says so: few, and no configuration is compared for others. */
const whereRefused = sql`("s"."rejectedVersion" is not null or "t"."id" in (select "w"."controlPcbId" from "telemetry_warning" "w"
  where "w"."code" = 'CONFIG_REJECTED' and "w"."active"))`

/** Updates that ended since the last success, with the version of the last of them. */
const failedUpdates = sql`${boards} join (select "u"."controlPcbId", count(*) filter (where "u"."status" = 'ROLLED_BACK') as "rollbacks",
    max("u"."finishedAt") as "at", (array_agg("u"."toVersion" order by "u"."finishedAt" desc, "u"."id" desc))[1] as "version" from "firmware_update" "u"
  where "u"."status" in ${failedList} and not exists (select 1 from "firmware_update" "g"
    where "g"."controlPcbId" = "u"."controlPcbId" and "g"."status" = 'SUCCEEDED' and "g"."finishedAt" > "u"."finishedAt")
    and not exists (select 1 from "firmware_update" "r" where "r"."retryOfId" = "u"."id")
  group by 1) "f" on "f"."controlPcbId" = "t"."id"`

const revoked = sql`${boards} join "firmware" "f" on "f"."firmwareVersion" = "s"."firmwareVersion" and ${fits('f', 't')}
  and "f"."status" = 'REVOKED'`

/**
 * The silence may be the server's: since the last outage the board has not had the time after which it counts as offline
 * (`connectionRank`).
 */
const mayBeDeaf = sql`coalesce(${jobsSince} > "s"."lastValidPacketAt"
  and ${jobsSince} >= now() - make_interval(secs => greatest(10 * "s"."reportIntervalS", 900)), false)`

/** Warning codes raised by the server itself. */
export const serverRules: readonly ServerRule[] = [
  {
    code: 'COMM_LOST',
    holds: (now) =>
      ofBoards(
        {
          severity: graded(sql`${silentH(now)} > 24`),
          held: sql`${boardConnection} = 'STALE' or ${mayBeDeaf}`,
          value: silentH(now),
          unit: 'h',
          since: silentSince,
        },
        boards,
        sql`${boardConnection} in ('OFFLINE', 'STALE')`,
      ),
  },
  {
    code: 'PKT_INVALID_RATE',
    holds: (now) =>
      ofBoards(
        {
          severity: graded(sql`${share} > 50`),
          held: sql`${share} <= 5`,
          value: share,
          threshold: sql`case when ${share} > 50 then 50 else 5 end`,
          unit: '%',
        },
        packagesOfHour(now),
        sql`${share} >= 2`,
      ),
  },
  {
    code: 'CONFIG_REJECTED',
    holds: () =>
      ofBoards(
        { severity: warning, held: sql`${configurationState} = 'PENDING'`, subject: sql`"s"."rejectReason"` },
        withConfiguration,
        sql`${whereRefused} and ${configurationState} in ('REJECTED', 'PENDING')`,
      ),
  },
  {
    code: 'CONFIG_DRIFT',
    isSlow: true,
    holds: () =>
      ofBoards(
        { severity: warning, held: sql`${configurationState} <> 'DRIFTED'` },
        withConfiguration,
        sql`${configurationState} <> 'IN_SYNC'`,
      ),
  },
  {
    code: 'FW_UPDATE_FAILED',
    holds: () =>
      ofBoards(
        { severity: graded(sql`"f"."rollbacks" >= 2`), subject: sql`"f"."version"`, since: sql`"f"."at"` },
        failedUpdates,
        sql`true`,
      ),
  },
  {
    code: 'FW_REVOKED',
    holds: () => ofBoards({ severity: sql`'CRITICAL'`, subject: sql`"s"."firmwareVersion"` }, revoked, sql`true`),
  },
  {
    code: 'MAINTENANCE_ON',
    holds: (now) => sql<ServerFinding>`select null::text as "controlPcbId", "e"."id" as "essId",
      ${columnsOf({ severity: sql`'INFO'`, subject: sql`"e"."maintenance"->>'reason'` })} from "ess" "e"
      where ("e"."maintenance"->>'until')::timestamptz > ${now}`,
  },
]
