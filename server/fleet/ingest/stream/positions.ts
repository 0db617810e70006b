import { sql } from 'kysely'
import { prepared } from '#server/db/prepared-statements.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'

/**
 * Position of a message: the partition of a stream and the sequence number there. `stream` is the incarnation of the stream:
 * numbers begin at 1 again when it is recreated.
 */
export type Position = { stream: string; partition: number; seq: number }

/** How far each partition is stored. It moves with the frames, so that a message that is delivered again is known. */
export const positionTable = `
create table "ingestPosition" (
  "stream" text not null,
  "partition" int4 not null,
  "seq" int8 not null,
  primary key ("stream", "partition")
);
`

/** Moves partitions on to these messages. Answers those that were not stored before: a partition delivers one message at a time. */
export async function moveOn<T extends { position?: Position | undefined }>(
  db: Queryable,
  all: readonly T[],
): Promise<ReadonlySet<T>> {
  const placed = all.filter(({ position }) => position)
  const direct = all.filter(({ position }) => !position)
  if (placed.length === 0) return new Set(direct)
  const moved = await rowsOf(
    db,
    sql<{ stream: string; partition: number }>`${prepared} insert into "ingestPosition" as "p" ("stream", "partition", "seq")
      select * from unnest(${sql.val(placed.map(({ position }) => position?.stream))}::text[],
        ${sql.val(placed.map(({ position }) => position?.partition))}::int4[],
        ${sql.val(placed.map(({ position }) => position?.seq))}::int8[]) as "u" ("stream", "partition", "seq") order by 1, 2
      on conflict ("stream", "partition") do update set "seq" = excluded."seq" where "p"."seq" < excluded."seq"
      returning "stream", "partition"`,
  )
  const isMoved = ({ position }: T) =>
    moved.some(({ stream, partition }) => stream === position?.stream && partition === position.partition)
  return new Set([...direct, ...placed.filter(isMoved)])
}
