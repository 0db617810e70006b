import { type RawBuilder, sql } from 'kysely'
import type { SampleSpan } from '#server/fleet/telemetry/stored-samples.ts'

type Moment = RawBuilder<unknown>
/** Subject and time span: values, or columns of a case file. */
export type Span = SampleSpan

/** The span of the case file under this table alias. */
export const spanOf = (alias: string): Span => ({
  controlPcbId: sql`${sql.id(alias)}."controlPcbId"`,
  startsAt: sql`${sql.id(alias)}."startsAt"`,
  endsAt: sql`${sql.id(alias)}."endsAt"`,
})

const within = (time: Moment, { startsAt, endsAt }: Span) => sql`${time} >= ${startsAt} and ${time} < ${endsAt}`

/**
 * Ids of a span's packets: those received in it, and those measured in it and received later. Two index scans: a board has many
 * packets, and few of a span.
 */
export const packagesOf = (span: Span) => sql`(select "p"."id" from "package" "p"
    where "p"."controlPcbId" = ${span.controlPcbId} and ${within(sql`"p"."receivedAt"`, span)}
  union select "p"."id" from "package" "p"
    where "p"."uid" = (select "b"."uid" from "control_pcb" "b" where "b"."id" = ${span.controlPcbId}) and ${within(sql`"p"."deviceTime"`, span)}
      and "p"."status" <> 'DUPLICATE' and "p"."controlPcbId" = ${span.controlPcbId})`

/**
 * True when a case file contains the packet of the table "package"; checked for old packets only, of which case files are
 * fewer.
 */
export const isInCase = sql<boolean>`exists (select 1 from "case_file" "c" where "c"."controlPcbId" = "package"."controlPcbId"
  and (${within(sql`"package"."receivedAt"`, spanOf('c'))} or ${within(sql`"package"."deviceTime"`, spanOf('c'))}))`

/** Versions of a span: the one in effect at its start, and those requested in it. */
export const configurationsOf = (span: Span) => sql`(select "g".* from "configuration" "g"
  where "g"."controlPcbId" = ${span.controlPcbId} and "g"."requestedAt" < ${span.endsAt}
    and "g"."version" >= coalesce((select max("e"."version") from "configuration" "e"
      where "e"."controlPcbId" = ${span.controlPcbId} and "e"."requestedAt" < ${span.startsAt}), 0))`

export const updatesOf = (span: Span) => sql`(select "u"."id", "u"."createdAt" from "firmware_update" "u"
  where "u"."controlPcbId" = ${span.controlPcbId} and "u"."createdAt" < ${span.endsAt}
    and ("u"."finishedAt" is null or "u"."finishedAt" >= ${span.startsAt}))`
