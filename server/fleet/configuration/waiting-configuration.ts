import { type RawBuilder, sql } from 'kysely'
import { desiredOfBoard, latestConfiguration } from './configuration-state.ts'

/** The configuration that a board is told: null once it has answered the latest version, applied or refused. */
export type Told = { reportIntervalS: number; configuration: { version: number; desired: Record<string, unknown> } | null }

const isWaiting = sql`"c"."version" > coalesce("s"."reportedVersion", 0) and "c"."version" is distinct from "s"."rejectedVersion"`

/** The interval in which a board reports, and the configuration that it is to apply; with further columns of its row "t". */
export const toldSql = <T>(controlPcbId: string, more: RawBuilder<unknown>) =>
  sql<Told & T>`select coalesce("s"."reportIntervalS", 60) as "reportIntervalS",
      case when ${isWaiting} then jsonb_build_object('version', "c"."version", 'desired', ${desiredOfBoard}) end as "configuration", ${more}
    from "control_pcb" "t" left join lateral ${latestConfiguration} "c" on true left join "boardState" "s" on "s"."controlPcbId" = "t"."id"
    where "t"."id" = ${controlPcbId}`
