import { type RawBuilder, sql } from 'kysely'

/**
 * Connection of a board by its last valid packet, with i its report interval: ONLINE up to max(3 i, 90 s), STALE up to
 * max(10 i, 15 min), else OFFLINE; NEVER without any packet. "s" is the alias of boardState. Rank 1 is the best.
 */
export const connectionRank = sql<number>`case
  when "s"."lastPacketAt" is null then 4
  when "s"."lastValidPacketAt" >= now() - make_interval(secs => greatest(3 * "s"."reportIntervalS", 90)) then 1
  when "s"."lastValidPacketAt" >= now() - make_interval(secs => greatest(10 * "s"."reportIntervalS", 900)) then 2
  else 3 end`

const stateOf = (value: RawBuilder<unknown>) =>
  sql<string>`case ${value} when 1 then 'ONLINE' when 2 then 'STALE' when 3 then 'OFFLINE' else 'NEVER' end`

/** Connection state of the board with the reports "s". */
export const boardConnection = stateOf(connectionRank)

/** Best state among the boards of the ESS "t"; NEVER when it has none. */
export const essConnection = stateOf(
  sql`(select min(${connectionRank}) from "control_pcb" "b" left join "boardState" "s" on "s"."controlPcbId" = "b"."id" where "b"."essId" = "t"."id")`,
)

const updating = sql`exists (select 1 from "firmware_update" "u" where "u"."controlPcbId" = "t"."id" and "u"."finishedAt" is null
  and "u"."status" in ('REBOOTING', 'CONFIRMING'))`
const maintained = sql`exists (select 1 from "ess" "m" where "m"."id" = "t"."essId" and ("m"."maintenance"->>'until')::timestamptz > now())`

/**
 * Cause of the board's "t" connection state: packets that are never valid mean bad data, not silence. A clock counts as wrong
 * from the offsets at which samples are dated by arrival: 5 min ahead, 7 days behind.
 */
export const connectionCause = sql<string>`case
  when (${connectionRank}) = 1 then case when "s"."clockOffsetMs" > 300000 or "s"."clockOffsetMs" < -604800000 then 'CLOCK' else 'OK' end
  when ${updating} then 'UPDATING'
  when ${maintained} then 'MAINTENANCE'
  when "s"."lastPacketAt" >= now() - make_interval(secs => greatest(3 * "s"."reportIntervalS", 90)) then 'BAD_DATA'
  else 'NO_PACKETS' end`

/** Cause of the ESS's "t" state: that of its best board; null when it is online. The board is the inner "t". */
export const essCause = sql`(select case when "found"."cause" is null then 'NO_BOARD' else nullif("found"."cause", 'OK') end
  from (select (select ${connectionCause} from "control_pcb" "t" left join "boardState" "s" on "s"."controlPcbId" = "t"."id"
    where "t"."essId" = "site"."id" order by ${connectionRank}, "t"."code" limit 1) as "cause" from (select "t"."id") as "site") as "found")`

/** The last valid packet of any board of the ESS "t". */
export const essLastSignal = sql`(select max("s"."lastValidPacketAt") from "control_pcb" "b"
  join "boardState" "s" on "s"."controlPcbId" = "b"."id" where "b"."essId" = "t"."id")`
