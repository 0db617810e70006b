import { type RawBuilder, sql } from 'kysely'
import { connectionRank } from './connection-sql.ts'
import { counting, worstRank } from './health-sql.ts'

/**
 * Priority key of a board or system as one number, lowest first: last ones (unseen for 90 days, never seen, out of use) · worst
 * open warning · silent since, in seconds. A single number can be indexed, which serves page 1 of any fleet.
 */
const bits = { quiet: 2 ** 34, last: 2 ** 36 } as const
const online = bits.quiet - 1
const never = bits.quiet - 2

const number = (value: number) => sql.raw(`${value}::int8`)

type Facts = {
  isOut: RawBuilder<unknown>
  /** 0 to 3. */
  worst: RawBuilder<unknown>
  /** 1 online, 2 stale, 3 offline, 4 never. */
  rank: RawBuilder<unknown>
  seenAt: RawBuilder<unknown>
  validAt: RawBuilder<unknown>
}

/** A board that only sent invalid packets counts as always silent. */
const keyOf = ({ isOut, worst, rank, seenAt, validAt }: Facts) => sql<number>`(
  case when ${isOut} or ${seenAt} is null or ${seenAt} < now() - interval '90 days' then ${number(bits.last)} else 0 end
  + (3 - coalesce(${worst}, 0)) * ${number(bits.quiet)}
  + case coalesce(${rank}, 4) when 1 then ${number(online)} when 4 then ${number(never)}
    else coalesce(extract(epoch from ${validAt})::int8, 0) end)`

/** True when the stored key marks a silent board or is not computed yet. */
export const wasSilent = (place: RawBuilder<unknown>) =>
  sql<boolean>`(${place} & ${number(online)}) is distinct from ${number(online)}`

/** Condition on the id of a board or system. */
export type Chosen = (id: RawBuilder<unknown>) => RawBuilder<unknown>

const worstBy = (column: string, chosen: Chosen) => sql`(select ${sql.ref(`w.${column}`)} as "id", ${worstRank} as "worst"
  from "telemetry_warning" "w" where ${counting} and ${chosen(sql.ref(`w.${column}`))} group by 1)`

/** Tables with priority keys: their rows "t" and their "key". */
export const placed = {
  control_pcb: (chosen: Chosen) => ({
    from: sql`"control_pcb" "t" left join "boardState" "s" on "s"."controlPcbId" = "t"."id"
      left join ${worstBy('controlPcbId', chosen)} "w" on "w"."id" = "t"."id"`,
    key: keyOf({
      isOut: sql`"t"."lifecycle" = 'RETIRED'`,
      worst: sql`"w"."worst"`,
      rank: connectionRank,
      seenAt: sql`"s"."lastPacketAt"`,
      validAt: sql`"s"."lastValidPacketAt"`,
    }),
  }),
  ess: (chosen: Chosen) => ({
    from: sql`"ess" "t" left join (select "b"."essId" as "id", min(${connectionRank}) as "rank", max("s"."lastPacketAt") as "seenAt",
        max("s"."lastValidPacketAt") as "validAt" from "control_pcb" "b" left join "boardState" "s" on "s"."controlPcbId" = "b"."id"
        where ${chosen(sql`"b"."essId"`)} group by 1) "c" on "c"."id" = "t"."id"
      left join ${worstBy('essId', chosen)} "w" on "w"."id" = "t"."id"`,
    key: keyOf({
      isOut: sql`"t"."lifecycle" = 'DECOMMISSIONED'`,
      worst: sql`"w"."worst"`,
      rank: sql`"c"."rank"`,
      seenAt: sql`"c"."seenAt"`,
      validAt: sql`"c"."validAt"`,
    }),
  }),
} as const

export type Placed = keyof typeof placed
