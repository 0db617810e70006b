import { type RawBuilder, sql } from 'kysely'
import { hasOwnTime } from './sample-columns.ts'

type Sql = RawBuilder<unknown>

/** A board and the time in which its samples count; an ESS may have had several boards. */
export type Segment = { controlPcbId: string; from: string; to: string }
/**
 * A segment, extended to where its counters are known before it, and after a silence in it: growth needs two samples, and so does a
 * silence.
 */
export type SampleWindow = Segment & { before: string; after: string }

export type Range = { from: Date; to: Date }

const ms = Date.parse
/** A segment between two times; none when they are not in order. */
export const segmentOf = (controlPcbId: string, fromMs: number, toMs: number): Segment[] =>
  fromMs < toMs ? [{ controlPcbId, from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }] : []

/** The part of segments within a range. */
export const clip = (segments: readonly Segment[], range: Range): Segment[] =>
  segments.flatMap(({ controlPcbId, from, to }) =>
    segmentOf(controlPcbId, Math.max(ms(from), range.from.getTime()), Math.min(ms(to), range.to.getTime())),
  )

function byBoard(segments: readonly Segment[]): Map<string, Segment[]> {
  const boards = new Map<string, Segment[]>()
  for (const one of segments.toSorted((a, b) => ms(a.from) - ms(b.from))) {
    const own = boards.get(one.controlPcbId)
    if (own) own.push(one)
    else boards.set(one.controlPcbId, [one])
  }
  return boards
}

/** Segments minus the time covered by other segments of the same board. */
export function without(segments: readonly Segment[], others: readonly Segment[]): Segment[] {
  const taken = byBoard(others)
  return segments.flatMap(({ controlPcbId, from, to }) => {
    const left: Segment[] = []
    let at = ms(from)
    for (const other of taken.get(controlPcbId) ?? []) {
      left.push(...segmentOf(controlPcbId, at, Math.min(ms(other.from), ms(to))))
      at = Math.max(at, ms(other.to))
    }
    return [...left, ...segmentOf(controlPcbId, at, ms(to))]
  })
}

function relation<T extends Segment>(
  rows: readonly T[],
  moments: readonly (keyof T & ('from' | 'to' | 'before' | 'after'))[],
): Sql {
  const times = moments.map((moment) => sql`, ${sql.val(rows.map((row) => row[moment]))}::timestamptz[]`)
  const names = moments.map((moment) => sql`, ${sql.ref(moment)}`)
  const empty = sql``
  return sql`select * from unnest(${sql.val(rows.map(({ controlPcbId }) => controlPcbId))}::uuid[]${sql.join(times, empty)})
    as "u" ("controlPcbId"${sql.join(names, empty)})`
}

/** Segments as rows of "controlPcbId", "from", "to". */
export const segmentRows = (segments: readonly Segment[]): Sql => relation(segments, ['from', 'to'])
/** The same with "before" and "after". */
export const windowRows = (windows: readonly SampleWindow[]): Sql => relation(windows, ['from', 'to', 'before', 'after'])

/** Joins rows "r" to the segments "w" that contain them. */
export const joinedTo = (segments: Sql): Sql =>
  sql`join (${segments}) "w" on "r"."controlPcbId" = "w"."controlPcbId" and "r"."ts" >= "w"."from" and "r"."ts" < "w"."to"`

/** Shorter glitches of counters are ignored, on either side of a window's start. */
const glitch = sql.raw(`interval '10 min'`)
/** How far back a counter is searched that a board does not send every time. */
const seldom = sql.raw(`interval '2 days'`)

const judged = (alias: string) => sql.raw(hasOwnTime(alias))
/** End of what is read for a window: of it, or of a silence that it has a part of. */
const until = sql`coalesce("z"."after", "w"."to")`
const ofWindow = sql`"telemetry" "k" where "k"."controlPcbId" = "w"."controlPcbId" and ${judged('k')}`

/**
 * Last time of a counter before the glitch; queried only when the sample "a" lacks it, and it is known again in the window or after its
 * silence.
 */
const lastKnown = (counter: string): Sql => sql`case when "a"."ts" is not null and "a".${sql.id(counter)} is null
    and exists (select 1 from "telemetry" "i" where "i"."controlPcbId" = "w"."controlPcbId" and "i"."ts" >= "w"."from" and "i"."ts" < ${until}
      and "i".${sql.id(counter)} is not null)
  then (select "k"."ts" from ${ofWindow} and "k"."ts" < "a"."ts"
    and "k"."ts" >= "a"."ts" - ${seldom} and "k".${sql.id(counter)} is not null order by "k"."ts" desc limit 1) end`

/** Boards are early or late at times: a shorter distance between two samples is no silence, whatever the interval. */
export const leastSilenceS = 450

/** A longer distance between two samples of the board with the state `board` is a silence. */
export const silence = (board: string) =>
  `greatest(${leastSilenceS}, 1.5 * coalesce(${board}."reportIntervalS", 60)) * interval '1 s'`

const nextKnown = (
  counter: string,
): Sql => sql`(select "k"."ts" from ${ofWindow} and "k"."ts" >= "n"."ts" and "k"."ts" < "n"."ts" + ${seldom}
    and "k".${sql.id(counter)} is not null order by "k"."ts" limit 1)`

/** Where counters are known again after a silence in the window or at its end: they grew in it. */
const afterSilence = (counters: readonly string[]): Sql => sql`left join lateral (
    select greatest(${sql.join([sql`"n"."ts"`, ...counters.map(nextKnown)])}) + interval '1 ms' as "after"
    from (select "k"."ts" from ${ofWindow} and "k"."ts" >= "w"."to" order by "k"."ts" limit 1) "n"
      left join "boardState" "b" on "b"."controlPcbId" = "w"."controlPcbId"::text
    where exists (select 1 from (
        select "k"."ts", lag("k"."ts") over (order by "k"."ts") as "lag" from ${ofWindow} and "k"."ts" <= "n"."ts"
          and "k"."ts" >= coalesce((select "k"."ts" from ${ofWindow} and "k"."ts" < "w"."from" order by "k"."ts" desc limit 1), "w"."from")) "g"
      where "g"."ts" - "g"."lag" > ${sql.raw(silence('"b"'))})) "z" on true`

/** How far before the sample "a", from which counters are read, each of them is known. */
function beforeGlitch(counters: readonly string[]): { moments: Sql; sample: Sql } {
  if (counters.length === 0) return { moments: sql``, sample: sql`` }
  const names = counters.map((counter) => sql`, "b".${sql.id(counter)}`)
  return {
    moments: sql`, ${sql.join([sql`coalesce("a"."ts", "w"."from"::timestamptz - ${glitch})`, ...counters.map(lastKnown)])}`,
    sample: sql`left join lateral (select "b"."ts"${sql.join(names, sql``)} from "telemetry" "b"
      where "b"."controlPcbId" = "w"."controlPcbId" and ${judged('b')} and "b"."ts" < "w"."from"::timestamptz - ${glitch} order by "b"."ts" desc limit 1) "a" on true`,
  }
}

/** Windows from rows of "controlPcbId", "from", "to", for these counters and any other channels. */
export function withBefore(segments: Sql, counters: readonly string[]): RawBuilder<SampleWindow> {
  const { moments, sample } = beforeGlitch(counters)
  return sql<SampleWindow>`select "w"."controlPcbId", "w"."from", "w"."to", least(coalesce((select max("b"."ts") from "telemetry" "b"
      where "b"."controlPcbId" = "w"."controlPcbId" and ${judged('b')} and "b"."ts" < "w"."from"), "w"."from")${moments}) as "before", ${until} as "after"
    from (${segments}) "w" ${sample} ${afterSilence(counters)}`
}

/**
 * A time condition over the span of all segments. It is redundant, but gives the planner constants: other partitions are pruned
 * and few rows are probed per board.
 */
export function inSpanOf(time: Sql, segments: readonly { from: string; to: string }[]): Sql {
  const from = segments.reduce((least, one) => Math.min(least, ms(one.from)), Number.POSITIVE_INFINITY)
  const to = segments.reduce((most, one) => Math.max(most, ms(one.to)), Number.NEGATIVE_INFINITY)
  return sql`${time} >= ${new Date(from)} and ${time} < ${new Date(to)}`
}
