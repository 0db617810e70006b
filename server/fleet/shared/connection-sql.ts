import { type RawBuilder, sql } from 'kysely'
import { soundClockMs } from '#resources/fleet/clock-limits.ts'
import { isoTime } from '#server/db/iso-time.ts'

/** For how long a packet of the board with the reports "s" keeps it online. */
const onlineFor = sql`make_interval(secs => greatest(3 * "s"."reportIntervalS", 90))`

/**
 * Connection of a board by its last valid packet, with i its report interval: ONLINE up to max(3 i, 90 s), STALE up to
 * max(10 i, 15 min), else OFFLINE; NEVER without any packet. "s" is the alias of boardState. Rank 1 is the best.
 */
export const connectionRank = sql<number>`case
  when "s"."lastPacketAt" is null then 4
  when "s"."lastValidPacketAt" >= now() - ${onlineFor} then 1
  when "s"."lastValidPacketAt" >= now() - make_interval(secs => greatest(10 * "s"."reportIntervalS", 900)) then 2
  else 3 end`

/** Connection state of a rank. */
export const stateOf = (value: RawBuilder<unknown>) =>
  sql<string>`case ${value} when 1 then 'ONLINE' when 2 then 'STALE' when 3 then 'OFFLINE' else 'NEVER' end`

/** Connection state of the board with the reports "s". */
export const boardConnection = stateOf(connectionRank)

const updating = sql`exists (select 1 from "firmware_update" "u" where "u"."controlPcbId" = "t"."id" and "u"."finishedAt" is null
  and "u"."status" in ('REBOOTING', 'CONFIRMING'))`
const maintained = sql`exists (select 1 from "ess" "m" where "m"."id" = "t"."essId" and ("m"."maintenance"->>'until')::timestamptz > now())`

/** A clock counts as wrong from the proven offset at which samples are dated by arrival. */
const hasWrongClock = sql`abs("s"."clockOffsetMs") > ${sql.lit(soundClockMs)}`

/** True for a board with the reports "s" whose cause is OK whatever else is known of it. */
export const isWell = sql<boolean>`((${connectionRank}) = 1 and ${hasWrongClock} is not true)`

/** Cause of the board's "t" connection state: packets that are never valid mean bad data, not silence. */
export const connectionCause = sql<string>`case
  when (${connectionRank}) = 1 then case when ${hasWrongClock} then 'CLOCK' else 'OK' end
  when ${updating} then 'UPDATING'
  when ${maintained} then 'MAINTENANCE'
  when "s"."lastPacketAt" >= now() - ${onlineFor} then 'BAD_DATA'
  else 'NO_PACKETS' end`

/**
 * The deciding board "b" of the ESS "t": of a system that is online one in trouble, the main board first, else its best one. A
 * retired board is silent on purpose. `best` is the best rank among its boards. The board is the inner "t".
 */
const ofDecidingBoard = (
  best: RawBuilder<unknown>,
  value: RawBuilder<unknown>,
) => sql`(select ${value} from (select "t"."id") as "site" cross join lateral
  (select "t"."id", "t"."code", "t"."role", "s"."lastPacketAt", "s"."lastValidPacketAt", ${connectionRank} as "rank",
      case when ${best} = 1 and "t"."lifecycle" = 'RETIRED' then 'OK' else ${connectionCause} end as "cause"
    from "control_pcb" "t" left join "boardState" "s" on "s"."controlPcbId" = "t"."id" where "t"."essId" = "site"."id") as "b"
  order by case when ${best} = 1 then ("b"."cause" = 'OK')::int4 else "b"."rank" end, "b"."role" = 'MAIN' desc nulls last,
    nullif("b"."rank", 4) desc nulls last, "b"."code" limit 1)`

/** Cause of the state of the ESS "t", which has boards: that of its deciding board; null when no board is in trouble. */
export const causeByBoards = (best: RawBuilder<unknown>) => sql`nullif(${ofDecidingBoard(best, sql`"b"."cause"`)}, 'OK')`

/** The board that the cause of the ESS "t" is about, and since when. */
export const troubleByBoards = (best: RawBuilder<unknown>) =>
  ofDecidingBoard(
    best,
    sql`case when "b"."cause" <> 'OK' then jsonb_build_object('controlPcbId', "b"."id",
  'since', case "b"."cause" when 'NO_PACKETS' then ${isoTime(sql`"b"."lastPacketAt"`)}
    when 'CLOCK' then (select ${isoTime(sql`min("w"."raisedAt")`)} from "telemetry_warning" "w"
      where "w"."controlPcbId" = "b"."id" and "w"."code" = 'CLOCK_DRIFT' and "w"."active")
    else ${isoTime(sql`"b"."lastValidPacketAt"`)} end) end`,
  )
