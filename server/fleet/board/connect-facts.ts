import { sql } from 'kysely'
import { isoTime } from '#server/db/iso-time.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import {
  configurationRefusal,
  configurationState,
  latestConfiguration,
} from '#server/fleet/configuration/configuration-state.ts'

/** Facts about a board being connected; times as ISO. */
export type ConnectFacts = {
  uid: string
  product: string
  isRetired: boolean
  keyAt: string | null
  keyUsedAt: string | null
  nextKeyAt: string | null
  isDemoKey: boolean
  lastPacketAt: string | null
  lastSampleAt: string | null
  isEstimated: boolean
  clockOffsetMs: number | null
  configurationState: string | null
  requestedAt: string | null
  appliedAt: string | null
  rejectReason: string | null
  otherUid: string | null
  otherUidAt: string | null
  refusal: string | null
  refusedAt: string | null
  formerKeyAt: string | null
  formerKeyIp: string | null
}

const time = (table: string, name: string) => isoTime(sql.ref(`${table}.${name}`))

export const connectFacts = (db: Queryable, controlPcbId: string): Promise<ConnectFacts | undefined> =>
  rowOf(
    db,
    sql<ConnectFacts>`select "t"."uid", "t"."product", "t"."lifecycle" = 'RETIRED' as "isRetired",
        ${time('k', 'createdAt')} as "keyAt", ${time('k', 'lastUsedAt')} as "keyUsedAt", ${time('k', 'nextAt')} as "nextKeyAt",
        coalesce("k"."isDemo", false) as "isDemoKey",
        ${time('s', 'lastPacketAt')} as "lastPacketAt", ${time('s', 'lastSampleAt')} as "lastSampleAt",
        coalesce("s"."isEstimated", false) as "isEstimated", "s"."clockOffsetMs"::float8 as "clockOffsetMs",
        case when "c"."version" is not null then ${configurationState} end as "configurationState",
        ${time('c', 'requestedAt')} as "requestedAt", ${time('s', 'appliedAt')} as "appliedAt", ${configurationRefusal} as "rejectReason",
        "o"."otherUid", ${time('o', 'otherUidAt')} as "otherUidAt", "o"."refusal", ${time('o', 'refusedAt')} as "refusedAt",
        ${time('f', 'seenAt')} as "formerKeyAt", "f"."ip" as "formerKeyIp"
      from "control_pcb" "t" left join "deviceKey" "k" on "k"."controlPcbId" = "t"."id"
      left join "boardState" "s" on "s"."controlPcbId" = "t"."id"
      left join "boardContact" "o" on "o"."controlPcbId" = "t"."id"
      left join lateral ${latestConfiguration} "c" on true
      left join lateral (select * from "formerKey" where "controlPcbId" = "t"."id" and "seenAt" is not null
        order by "seenAt" desc limit 1) "f" on true
      where "t"."id" = ${controlPcbId}`,
  )

export type Counted = { status: string; reason: string | null; count: number }

/** Packets of the board, by validity and first reason. */
export const packetsSince = (db: Queryable, controlPcbId: string, since: Date): Promise<Counted[]> =>
  rowsOf(
    db,
    sql<Counted>`select "status", "reason"->>0 as "reason", count(*)::int4 as "count" from "package"
      where "controlPcbId" = ${controlPcbId} and "receivedAt" > ${since} and "status" <> 'DUPLICATE' group by 1, 2 order by 3 desc, 1, 2`,
  )

/** Last frame of this board sent with another board's key. */
export const lastFrameUnderOtherKey = (db: Queryable, uid: string, since: Date): Promise<{ at: string } | undefined> =>
  rowOf(
    db,
    sql<{
      at: string
    }>`select ${isoTime(sql`"receivedAt"`)} as "at" from "package" where "status" = 'INVALID' and "controlPcbId" is null
      and upper("uid") = ${uid.toUpperCase()} and "receivedAt" > ${since} order by "receivedAt" desc limit 1`,
  )

export type Strange = { ip: string; at: string; tries: number }

/** Addresses that sent unknown keys. */
export const unknownKeySources = (db: Queryable, since: Date): Promise<Strange[]> =>
  rowsOf(
    db,
    sql<Strange>`select "ip", ${isoTime(sql`"seenAt"`)} as "at", "tries" from "strangeKey" where "seenAt" > ${since}
      order by "seenAt" desc limit 3`,
  )
