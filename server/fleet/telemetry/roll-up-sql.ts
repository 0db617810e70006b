import { type RawBuilder, sql } from 'kysely'
import type { RollUp } from '#resources/fleet/channel-row.ts'
import type { NamedChannel } from '#server/frames/channels.ts'
import { countersOf, growthSql, isShared, pastOf, shareOf } from './counter-growth.ts'
import { hasOwnTime } from './sample-columns.ts'
import { inSpanOf, type SampleWindow, silence, windowRows } from './windows.ts'

type Sql = RawBuilder<unknown>

/*
 * A piece is an aggregate over a span: from a sample until the next one, or of a rolled-up row. Pieces of any length merge by
 * the same terms, so a day of a chart may combine rows and samples that are not rolled up yet.
 */
type Kind = {
  /** Names of a channel's columns in the rolled tables. */
  columns: (name: string) => readonly string[]
  /** Terms of a piece from a sample "r", and from a rolled-up row "r". */
  ofSample: (channel: NamedChannel) => readonly string[]
  /** Terms of a piece of a silence before a sample "r"; null where there are none. */
  ofSilence?: (channel: NamedChannel) => readonly string[]
  ofRow: (name: string) => readonly string[]
  /** Terms that merge pieces "p". */
  together: (name: string) => readonly string[]
}

const named = (prefix: string, names: readonly string[]) => names.map((name) => `${prefix}."${name}"`)
const triple = (name: string) => [`${name}Avg`, `${name}Min`, `${name}Max`]
// The time in the high bits, a state's code in the low ones: the maximum is the last state.
const stateKey = (code: string) => `extract(epoch from "r"."ts")::int8 * 256 + ${code}`

const kinds: Record<Exclude<RollUp, 'none'>, Kind> = {
  mean: {
    columns: triple,
    ofSample: ({ name }) => [`"r"."${name}"::float4`, `"r"."${name}"::float4`, `"r"."${name}"::float4`],
    ofRow: (name) => named('"r"', triple(name)),
    together: (name) => [
      `(sum("p"."${name}Avg"::float8 * "p"."seconds") / nullif(sum("p"."seconds") filter (where "p"."${name}Avg" is not null), 0))::float4`,
      `min("p"."${name}Min")`,
      `max("p"."${name}Max")`,
    ],
  },
  counter: {
    columns: (name) => [`${name}Sum`],
    ofSample: (channel) => [growthSql(channel)],
    ofSilence: (channel) => [shareOf(channel)],
    ofRow: (name) => [`"r"."${name}Sum"`],
    together: (name) => [`sum("p"."${name}Sum")`],
  },
  state: {
    columns: (name) => [`${name}Last`],
    ofSample: ({ name }) => [stateKey(`"r"."${name}"`)],
    ofRow: (name) => [stateKey(`"r"."${name}Last"`)],
    together: (name) => [`(max("p"."${name}Last") & 255)::int2`],
  },
  flags: {
    columns: (name) => [`${name}Any`],
    ofSample: ({ name }) => [`"r"."${name}"`],
    ofRow: (name) => [`"r"."${name}Any"`],
    together: (name) => [`bit_or("p"."${name}Any")`],
  },
}

const kindOf = ({ rollUp }: NamedChannel): Kind | undefined => (rollUp === 'none' ? undefined : kinds[rollUp])

type Terms = 'ofSample' | 'ofSilence' | 'ofRow' | 'together'

function termsOf(kind: Kind, channel: NamedChannel, terms: Terms): readonly string[] {
  if (terms === 'ofSample') return kind.ofSample(channel)
  if (terms === 'ofSilence') return kind.ofSilence?.(channel) ?? kind.columns(channel.name).map(() => 'null')
  return kind[terms](channel.name)
}

function aliased(channels: readonly NamedChannel[], terms: Terms): Sql {
  const texts = channels.flatMap((channel) => {
    const kind = kindOf(channel)
    const columns = kind?.columns(channel.name) ?? []
    const found = kind ? termsOf(kind, channel, terms) : []
    return found.map((term, index) => `, ${term} as "${columns[index]}"`)
  })
  return sql.raw(texts.join(''))
}

/** Columns of the rolled-up tables for these channels. */
export const rolledColumns = (channels: readonly NamedChannel[]): string[] =>
  channels.flatMap((channel) => [...(kindOf(channel)?.columns(channel.name) ?? [])])

/** Maximum time that one sample represents, unless its board's interval is longer; beyond it is a gap. */
const longest = `greatest(300, "b"."reportIntervalS") * interval '1 s'`

/** Samples of windows with what was known before each. Those with a wrong clock belong to no time and are excluded. */
function samplesOf(windows: readonly SampleWindow[], channels: readonly NamedChannel[]): Sql {
  const columns = channels.map(({ name }) => `, "t"."${name}"`).join('')
  const span = windows.map(({ before, after }) => ({ from: before, to: after }))
  const silent = (moment: string) =>
    sql.raw(`max(case when "t"."ts" - "t"."lag" > ${silence('"b"')} then extract(epoch from "t"."${moment}") end) over "now"`)
  return sql`(${windowRows(windows)}) "w" left join "boardState" "b" on "b"."controlPcbId" = "w"."controlPcbId"::text cross join lateral (
      select "t"."controlPcbId", "t"."ts", "t"."essId"${sql.raw(columns + countersOf(channels).map(pastOf).join(''))},
        ${silent('lag')} as "silentFrom", ${silent('ts')} as "silentTo", extract(epoch from least(
        coalesce(case when "t"."lead" < "w"."to" then "t"."lead" - "t"."ts" end, "t"."ts" - "t"."lag", interval '1 min'), ${sql.raw(longest)}))::float4 as "seconds"
      from (select "t"."controlPcbId", "t"."ts", "t"."essId"${sql.raw(columns)}, lead("t"."ts") over "o" as "lead", lag("t"."ts") over "o" as "lag"
        from "telemetry" "t" where "t"."controlPcbId" = "w"."controlPcbId" and "t"."ts" >= "w"."before" and "t"."ts" < "w"."after"
          and ${sql.raw(hasOwnTime('t'))} and ${inSpanOf(sql`"t"."ts"`, span)}
        window "o" as (order by "t"."ts")) "t"
      window "now" as (order by "t"."ts"), "past" as (order by "t"."ts" rows between unbounded preceding and 1 preceding)) "r"
      left join "ess" "e" on "e"."id" = "r"."essId"::text`
}

const endsSilence = sql.raw(`extract(epoch from "r"."ts") = "r"."silentTo"`)
const orAnyShared = (channels: readonly NamedChannel[]) =>
  sql.raw(
    countersOf(channels)
      .map((one) => ` or ${isShared(one)}`)
      .join(''),
  )
const moment = (epoch: string) => sql.raw(`to_timestamp(${epoch})::timestamptz(3)`)

/**
 * Pieces of samples in windows, and of silences: what counters grew by over a silence is shared over its time, in steps. A silence is
 * told of by the sample that ends it, and its growth by those in which the counters are known again. What grew while a board stood
 * nowhere is the part of that time.
 */
export function samplePieces(windows: readonly SampleWindow[], channels: readonly NamedChannel[], step = '5 min'): Sql {
  const own = sql`"r"."ts" >= "w"."from" and "r"."ts" < "w"."to"`
  return sql`select "p".* from ${samplesOf(windows, channels)} cross join lateral (
      select "r"."controlPcbId", "r"."ts", "r"."seconds", null::float4 as "gapSeconds"${aliased(channels, 'ofSample')} where ${own}
    union all select "r"."controlPcbId", "share"."ts", 0, case when ${endsSilence} then "share"."seconds" end${aliased(channels, 'ofSilence')}
    from (select ${moment('"r"."silentFrom"')} as "from", ${moment('"r"."silentTo"')} as "to") "gap"
      cross join lateral (select "x"."ts", extract(epoch from "x"."until" - "x"."ts")::float4 as "seconds",
          extract(epoch from "x"."ts" - "gap"."from") as "lo", extract(epoch from "x"."until" - "gap"."from") as "hi",
          extract(epoch from "gap"."to" - "gap"."from") as "whole"
        from (select greatest("bin", "gap"."from", "w"."from") as "ts", least("bin" + ${sql.lit(step)}::interval, "gap"."to", "w"."to") as "until"
          from generate_series(${binned(step, sql`greatest("gap"."from", "w"."from")`)}, least("gap"."to", "w"."to"), ${sql.lit(step)}::interval) as "bin") "x"
        where "x"."ts" < "x"."until") "share"
    where "r"."silentTo" is not null and (${endsSilence}${orAnyShared(channels)})) "p" where "r"."ts" >= "w"."from"`
}

export type RolledTable = 'telemetry5m' | 'telemetry1h' | 'telemetry1d'
export type RolledStep = '5 min' | 'hour' | 'day'
export const rolledTables: Record<RolledStep, RolledTable> = { '5 min': 'telemetry5m', hour: 'telemetry1h', day: 'telemetry1d' }

/** Pieces of rolled-up rows; `joined` joins and restricts the rows "r". */
export const rowPieces = (table: RolledTable, channels: readonly NamedChannel[], joined: Sql): Sql =>
  sql`select "r"."controlPcbId", "r"."ts", "r"."seconds", "r"."gapSeconds"${aliased(channels, 'ofRow')} from ${sql.table(table)} "r" ${joined}`

/** Merges pieces "p"; `keys` are their first columns, and the columns numbered in `by` are the group key. */
export const togetherBy = (
  pieces: Sql,
  channels: readonly NamedChannel[],
  { keys, by }: { keys: Sql; by: '1' | '1, 2' },
): Sql =>
  sql`select ${keys}, sum("p"."seconds")::float4 as "seconds", sum("p"."gapSeconds")::float4 as "gapSeconds"${aliased(channels, 'together')} from (${pieces}) "p" group by ${sql.raw(by)}`

/** Start of a time's 5 minutes, quarter hour or hour. */
export const binned = (interval: string, time: Sql): Sql =>
  sql`date_bin(${sql.lit(interval)}::interval, ${time}, '2000-01-01Z')`
