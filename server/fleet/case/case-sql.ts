import { type RawBuilder, sql } from 'kysely'

type Moment = RawBuilder<unknown>
/** Subject and time span: values, or columns of a case file. */
export type Span = { controlPcbId: Moment; startsAt: Moment; endsAt: Moment }

/** The span of the case file in the table that is called so. */
export const spanOf = (alias: string): Span => ({
  controlPcbId: sql`${sql.id(alias)}."controlPcbId"`,
  startsAt: sql`${sql.id(alias)}."startsAt"`,
  endsAt: sql`${sql.id(alias)}."endsAt"`,
})

const within = (time: Moment, { startsAt, endsAt }: Span) => sql`${time} >= ${startsAt} and ${time} < ${endsAt}`

/**
 * Ids of the packets of a span: those that came in its time, and those that the board made in it and sent later. Two searches, each by
 * an index of its own: a board has many packets, and few of a span.
 */
export const packagesOf = (span: Span) => sql`(select "p"."id" from "package" "p"
    where "p"."controlPcbId" = ${span.controlPcbId} and ${within(sql`"p"."receivedAt"`, span)}
  union select "p"."id" from "package" "p"
    where "p"."uid" = (select "b"."uid" from "control_pcb" "b" where "b"."id" = ${span.controlPcbId}) and ${within(sql`"p"."deviceTime"`, span)}
      and "p"."status" <> 'DUPLICATE' and "p"."controlPcbId" = ${span.controlPcbId})`

/**
 * True when a case file holds the packet of the table "package"; checked for old packets only, where files are fewer than
 * packets.
 */
export const isInCase = sql<boolean>`exists (select 1 from "case_file" "c" where "c"."controlPcbId" = "package"."controlPcbId"
  and (${within(sql`"package"."receivedAt"`, spanOf('c'))} or ${within(sql`"package"."deviceTime"`, spanOf('c'))}))`

/** Every sample of a span as a row of "telemetry": those of months that are there, and those that were kept of others. */
export const samplesOf = (span: Span) => {
  const board = sql`${span.controlPcbId}::uuid`
  return sql`(select * from "telemetry" where "controlPcbId" = ${board} and ${within(sql`"ts"`, span)}
    union all select "r".* from "caseSample" "k", lateral jsonb_populate_record(null::"telemetry", "k"."sample") as "r"
      where "k"."controlPcbId" = ${board} and ${within(sql`"k"."ts"`, span)}
        and not exists (select 1 from "telemetry" "o" where "o"."controlPcbId" = "k"."controlPcbId" and "o"."ts" = "k"."ts"))`
}

/** Versions of a span: the one that was in force when it began, and those that were asked for in it. */
export const configurationsOf = (span: Span) => sql`(select "g".* from "configuration" "g"
  where "g"."controlPcbId" = ${span.controlPcbId} and "g"."requestedAt" < ${span.endsAt}
    and "g"."version" >= coalesce((select max("e"."version") from "configuration" "e"
      where "e"."controlPcbId" = ${span.controlPcbId} and "e"."requestedAt" < ${span.startsAt}), 0))`

/** Updates that were under way in a span. */
export const updatesOf = (span: Span) => sql`(select "u"."id", "u"."createdAt" from "firmware_update" "u"
  where "u"."controlPcbId" = ${span.controlPcbId} and "u"."createdAt" < ${span.endsAt}
    and ("u"."finishedAt" is null or "u"."finishedAt" >= ${span.startsAt}))`
