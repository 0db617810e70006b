import { type RawBuilder, sql } from 'kysely'
import { prepared } from '#server/db/prepared-statements.ts'
import { desiredOfBoard, latestConfiguration } from './configuration-state.ts'

/**
 * The configuration to send to a board: null once it has applied the latest version. A version that it has refused is not sent
 * again.
 */
export type PendingConfiguration = {
  reportIntervalS: number
  configuration: { version: number; desired: Record<string, unknown> } | null
  isRefused: boolean
}

const isRefused = sql`coalesce("c"."version" = "s"."rejectedVersion", false)`
/** A board may report a higher version of another installation: this is not applied either. Nor is what it refuses after it has applied it. */
const isWaiting = sql`("c"."version" <> coalesce("s"."reportedVersion", 0) or ${isRefused})`

/** Report interval and pending configuration of boards, with further columns of their row "t". */
export const pendingConfigurationSql = <T>(boards: readonly string[], more: RawBuilder<unknown>) =>
  sql<
    PendingConfiguration & T & { controlPcbId: string }
  >`${prepared} select "t"."id" as "controlPcbId", coalesce("s"."reportIntervalS", 60) as "reportIntervalS",
      case when ${isWaiting} then jsonb_build_object('version', "c"."version", 'desired', ${desiredOfBoard}) end as "configuration",
      ${isRefused} as "isRefused", ${more}
    from "control_pcb" "t" left join lateral ${latestConfiguration} "c" on true left join "boardState" "s" on "s"."controlPcbId" = "t"."id"
    where "t"."id" = any(${sql.val(boards)}::text[])`
