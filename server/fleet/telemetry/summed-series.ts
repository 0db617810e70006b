import { type RawBuilder, sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { NamedChannel } from '#server/frames/channels.ts'
import { piecesOf, sourcesOf } from './bucket-sources.ts'
import { type RolledStep, rolledTables } from './roll-up-sql.ts'
import type { Segment } from './windows.ts'

/** Five-minute roll-ups, because a local day may begin at any quarter of an hour. */
const bucket = { stepMs: 300_000 }

/** A segment that counts for something: a site has several boards over time. */
export type OwnedSegment = Segment & { owner: string }

/** Growth of counters by their names; null where nothing is known. */
export type Growth = { owner: string } & Record<string, number | string | null>

const columnOf = <T>(segments: readonly OwnedSegment[], read: (segment: OwnedSegment) => T) => sql.val(segments.map(read))

/** Growth of counters in all segments of each owner; an owner without samples is absent. */
export async function growthOf(
  db: Queryable,
  segments: readonly OwnedSegment[],
  counters: readonly NamedChannel[],
): Promise<Growth[]> {
  if (segments.length === 0) return []
  const sources = await sourcesOf(db, segments, { bucket, channels: counters })
  const own = sql`unnest(${columnOf(segments, ({ owner }) => owner)}::text[], ${columnOf(segments, ({ controlPcbId }) => controlPcbId)}::uuid[],
    ${columnOf(segments, ({ from }) => from)}::timestamptz[], ${columnOf(segments, ({ to }) => to)}::timestamptz[])
    as "k" ("owner", "controlPcbId", "from", "to")`
  const sums = counters.map(({ name }) => sql`, sum("p".${sql.id(`${name}Sum`)})::float8 as ${sql.id(name)}`)
  return rowsOf(
    db,
    sql<Growth>`select "k"."owner"${sql.join(sums, sql``)} from (${piecesOf(sources, counters)}) "p"
      join ${own} on "k"."controlPcbId" = "p"."controlPcbId" and "p"."ts" >= "k"."from" and "p"."ts" < "k"."to" group by 1`,
  )
}

type Hourly = {
  boards: (hour: RawBuilder<unknown>) => RawBuilder<unknown>
  means: readonly string[]
  from: RawBuilder<unknown>
  to: RawBuilder<unknown>
}

/**
 * Sums over boards of the means of whole hours, as a relation, without decimals; `boards` is what the rows "r" of an hour are joined to,
 * and "measured" counts the boards of each sum. Hours that are not rolled up are absent.
 */
export function hourlySums({ boards, means, from, to }: Hourly): RawBuilder<unknown> {
  const sums = means.map((name) => sql`, round(sum("r".${sql.id(`${name}Avg`)}))::float8 as ${sql.id(name)}`)
  const counts = means.map((name) => sql`${sql.lit(name)}, count("r".${sql.id(`${name}Avg`)})`)
  return sql`select "r"."ts" as "hour", count(*) as "boards"${sql.join(sums, sql``)}, json_build_object(${sql.join(counts)}) as "measured" from "telemetry1h" "r"
    join ${boards(sql`"r"."ts"`)} where "r"."ts" >= ${from} and "r"."ts" < ${to} and "r"."seconds" > 0 group by 1`
}

type Rolled = { step: RolledStep; controlPcbId: RawBuilder<unknown>; before: RawBuilder<unknown> }

/** A condition: a board has rolled-up rows before a moment. */
export const isRolled = ({ step, controlPcbId, before }: Rolled): RawBuilder<boolean> =>
  sql`exists (select 1 from ${sql.table(rolledTables[step])} "r" where "r"."controlPcbId" = ${controlPcbId} and "r"."ts" < ${before})`
