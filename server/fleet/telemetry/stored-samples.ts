import { type RawBuilder, sql } from 'kysely'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { openHours } from './insert-samples.ts'
import { type Segment, segmentRows } from './windows.ts'

/** The packet that a sample came in. */
export type SampleOrigin = { controlPcbId: string; packageId: string; receivedAt: Date }

/**
 * Removes the samples of a packet, and opens their hours for roll-up. Answers when they were. Its clock may be late by what is kept,
 * and ahead by a day: the span prunes months.
 */
export async function reopenSamples(db: Queryable, origin: SampleOrigin): Promise<Date[]> {
  const { controlPcbId, packageId, receivedAt } = origin
  const gone = await rowsOf(
    db,
    sql<{ ts: string }>`delete from "telemetry" where "controlPcbId" = ${controlPcbId} and "packageId" = ${packageId}
      and "ts" between ${receivedAt}::timestamptz - interval '61 days' and ${receivedAt}::timestamptz + interval '1 day' returning "ts"`,
  )
  const times = gone.map(({ ts }) => new Date(ts))
  await openHours(
    db,
    times.map((at) => ({ controlPcbId, at })),
  )
  return times
}

/** A stored sample: its time and the channels that were asked for, as they are stored. */
export type SampleRow = { ts: string } & Record<string, number | string | null>

/** The newest sample of a board before a moment. */
export function latestSample(
  db: Queryable,
  { controlPcbId, before, names }: { controlPcbId: string; before: Date; names: readonly string[] },
): Promise<SampleRow | undefined> {
  const columns = sql.join(
    names.map((name) => sql`, ${sql.id(name)}`),
    sql``,
  )
  return rowOf(
    db,
    sql<SampleRow>`select "ts"${columns} from "telemetry"
      where "controlPcbId" = ${controlPcbId} and "ts" < ${before} order by "ts" desc limit 1`,
  )
}

/** The moments of the first sample in each segment that has one. */
export function firstSamples(db: Queryable, segments: readonly Segment[]): Promise<(Segment & { first: string })[]> {
  return rowsOf(
    db,
    sql<Segment & { first: string }>`select "w".*, "f"."first" from (${segmentRows(segments)}) "w"
      cross join lateral (select min("m"."ts") as "first" from "telemetry" "m"
        where "m"."controlPcbId" = "w"."controlPcbId" and "m"."ts" >= "w"."from" and "m"."ts" < "w"."to") "f"
      where "f"."first" is not null`,
  )
}

type Moment = RawBuilder<unknown>
/** Board and time of samples: values, or columns of another table. */
export type SampleSpan = { controlPcbId: Moment; startsAt: Moment; endsAt: Moment }

/** Copies the samples of segments to where no month takes them along. */
export async function keepSegments(db: Queryable, segments: readonly Segment[]): Promise<void> {
  if (segments.length === 0) return
  await sql`insert into "caseSample" ("controlPcbId", "ts", "sample")
    select distinct on ("t"."controlPcbId", "t"."ts") "t"."controlPcbId", "t"."ts", to_jsonb("t".*) from (${segmentRows(segments)}) "w"
      join "telemetry" "t" on "t"."controlPcbId" = "w"."controlPcbId" and "t"."ts" >= "w"."from" and "t"."ts" < "w"."to"
    on conflict do nothing`.execute(db)
}

const within = (time: Moment, { startsAt, endsAt }: SampleSpan) => sql`${time} >= ${startsAt} and ${time} < ${endsAt}`

/** Every sample of a span as a relation: those of months that are there, and those that were kept of others. */
export function samplesIn(span: SampleSpan): RawBuilder<unknown> {
  const board = sql`${span.controlPcbId}::uuid`
  return sql`(select * from "telemetry" where "controlPcbId" = ${board} and ${within(sql`"ts"`, span)}
    union all select "r".* from "caseSample" "k", lateral jsonb_populate_record(null::"telemetry", "k"."sample") as "r"
      where "k"."controlPcbId" = ${board} and ${within(sql`"k"."ts"`, span)}
        and not exists (select 1 from "telemetry" "o" where "o"."controlPcbId" = "k"."controlPcbId" and "o"."ts" = "k"."ts"))`
}
