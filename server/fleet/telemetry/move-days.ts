import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { keptMs } from './bucket-rule.ts'
import { knownZone } from './zones.ts'

export type Move = { essId: string; from: string | null; to: string | null; now: Date }

/**
 * Boards "b" of a system and the time span in which their days belong to it. Samples older than the attachment usually arrive
 * after it: their days belong to the present site, back to the end of the previous one.
 */
const boardsOf = (
  essId: string,
) => sql`(select "a"."controlPcbId"::uuid as "id", coalesce("a"."removedAt", 'infinity') as "until",
    least("a"."attachedAt" - interval '1 day', coalesce((select max("o"."removedAt") from "control_pcb_attachment" "o"
      where "o"."controlPcbId" = "a"."controlPcbId" and "o"."removedAt" <= "a"."attachedAt"), '-infinity')) as "since"
  from "control_pcb_attachment" "a" where "a"."essId" = ${essId}) "b"`

/** A temporary shift beyond any day, so that moved rows do not collide. */
const aside = sql`interval '8760000 hours'`
const asideFrom = sql`timestamptz '2900-01-01Z'`

/**
 * Moves the day rows of a system whose time zone was corrected. Days still covered by 5-minute rows are rolled up again; older
 * ones keep their values and dates.
 */
export async function moveDays(db: Queryable, { essId, now, ...zones }: Move): Promise<void> {
  const [from, to] = [await knownZone(db, zones.from), await knownZone(db, zones.to)]
  if (from === to) return
  const covered = sql`((date_trunc('day', ${new Date(now.getTime() - keptMs.rows)}::timestamptz at time zone ${to}) + interval '1 day') at time zone ${to})`
  const boards = boardsOf(essId)
  const own = (time: string) =>
    sql`"b"."id" = "r"."controlPcbId" and ${sql.ref(time)} >= "b"."since" and ${sql.ref(time)} < "b"."until"`
  await rowsOf(db, sql`delete from "telemetry1d" "r" using ${boards} where ${own('r.ts')} and "r"."ts" >= ${covered}`)
  await rowsOf(db, sql`delete from "telemetryOpenDay" "r" using ${boards} where ${own('r.day')} and "r"."day" >= ${covered}`)
  await rowsOf(db, sql`update "telemetry1d" "r" set "ts" = "r"."ts" + ${aside} from ${boards} where ${own('r.ts')}`)
  await rowsOf(
    db,
    sql`update "telemetry1d" "r" set "ts" = date_trunc('day', ("r"."ts" - ${aside}) at time zone ${from}) at time zone ${to}
      from ${boards} where "b"."id" = "r"."controlPcbId" and "r"."ts" >= ${asideFrom}`,
  )
  // An hour may belong to two days: some time zones are offset by half an hour.
  await rowsOf(
    db,
    sql`insert into "telemetryOpenDay" ("controlPcbId", "day", "until")
      select "h"."id", date_trunc('day', "e"."at", ${to}), max((date_trunc('day', "e"."at" at time zone ${to}) + interval '1 day') at time zone ${to})
      from (select "b"."id", "r"."ts" from ${boards} join "telemetry1h" "r" on ${own('r.ts')} and "r"."ts" >= ${covered} - interval '1 hour'
        union select "b"."id", "r"."hour" from ${boards} join "telemetryOpenHour" "r" on ${own('r.hour')} and "r"."hour" >= ${covered} - interval '1 hour') "h"
        cross join lateral (values ("h"."ts"), ("h"."ts" + interval '59 min')) as "e" ("at")
      where "e"."at" >= ${covered} group by 1, 2 order by 1, 2
      on conflict ("controlPcbId", "day") do update set "until" = excluded."until"`,
  )
}
