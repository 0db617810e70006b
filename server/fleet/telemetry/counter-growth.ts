import type { NamedChannel } from '#server/frames/channels.ts'
import { feeds, growthMargin, rateSql } from '#server/frames/counter-bounds.ts'
import { columnType } from './sample-columns.ts'

/*
 * Growth of a counter, from samples "t" as rows "r" with their site "e". It is relative to the last known value, because a
 * board need not send a counter in every frame. A counter that falls was reset, unless it returns to its former value: some
 * meters read 0 for a while after a restart. Growth beyond what a site can use is unknown, and so is a fall, or a counter that
 * stays where it fell to.
 */
export const countersOf = (channels: readonly NamedChannel[]) => channels.filter(({ rollUp }) => rollUp === 'counter')

const seconds = (time: string) => `date_part('epoch', ${time})`

/** Columns of the previous row: the last known and the highest value, each with its time. */
export const pastOf = ({ name }: NamedChannel): string =>
  `, max(case when "t"."${name}" is not null then array[${seconds('"t"."ts"')}, "t"."${name}"] end) over "past" as "${name}Known"` +
  `, max(case when "t"."${name}" is not null then array["t"."${name}", ${seconds('"t"."ts"')}] end) over "past" as "${name}Top"`

function mostIn({ lifetime = 'load' }: NamedChannel, since: string): string {
  return `${feeds[lifetime].step} + ${growthMargin} * (${rateSql(lifetime)}) * (${seconds('"r"."ts"')} - ${since}) / 3600`
}

function growth(channel: NamedChannel): string {
  const { name } = channel
  const now = `"r"."${name}"`
  const [knownAt, known] = [`"r"."${name}Known"[1]`, `"r"."${name}Known"[2]`]
  const [top, topAt] = [`"r"."${name}Top"[1]`, `"r"."${name}Top"[2]`]
  return `(case when ${now} < ${known} or (${now} = ${known} and ${now} < ${top}) then null
    when ${known} < ${top} and ${now} >= ${top} and ${now} - ${top} <= ${mostIn(channel, topAt)} then ${now} - ${top}
    when ${now} - ${known} <= ${mostIn(channel, knownAt)} then ${now} - ${known} end)`
}

/** True where the counter was last known before a silence: what it grew by belongs to the silence, not to the sample. */
const isSilent = ({ name }: NamedChannel) => `"r"."silentTo" > "r"."${name}Known"[1]`
/** A condition: a counter that is known again grew over a silence. */
export const isShared = (channel: NamedChannel) => `(${isSilent(channel)} and "r"."${channel.name}" is not null)`

export const growthSql = (channel: NamedChannel): string =>
  `(case when ${isShared(channel)} then case when ${growth(channel)} is not null then 0 end else ${growth(channel)} end)::${columnType(channel)}`

/**
 * The part of a counter's growth over a silence from "share"."lo" to "share"."hi", in seconds of "share"."whole". Whole units are
 * counted from its start, so that the parts of any division have the same sum.
 */
export function shareOf(channel: NamedChannel): string {
  const type = columnType(channel)
  const upTo = (end: 'lo' | 'hi') => {
    const part = (grown: string) => `${grown} * "share"."${end}" / "share"."whole"`
    // Without fractions of binary numbers, by which the last part may lack a unit.
    return type === 'int8' ? `floor(${part(`${growth(channel)}::numeric`)})` : part(growth(channel))
  }
  return `(case when ${isShared(channel)} then ${upTo('hi')} - ${upTo('lo')} end)::${type}`
}
