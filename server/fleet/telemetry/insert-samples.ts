import { type RawBuilder, sql } from 'kysely'
import { prepared } from '#server/db/prepared-statements.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { channels, type NamedChannel } from '#server/frames/channels.ts'
import type { Sample } from '#server/frames/frame-decoder.ts'
import { countersOf } from './counter-growth.ts'
import { boardZones, daysOfHours } from './days/board-zones.ts'
import { binned, type RolledStep, rolledColumns, rolledTables } from './roll-up-sql.ts'
import { chartChannels, columnType, hasOwnTime, qualities, storedValue } from './sample-columns.ts'
import { joinedHours } from './silent-hours.ts'
import { leastSilenceS } from './windows.ts'

/** A sample with its board, and the site of its board on arrival. */
export type StoredSample = {
  controlPcbId: string
  essId: string | null
  packageId: string | null
  receivedAt: Date
  sample: Pick<Sample, 'at' | 'quality' | 'values'>
}

// Numbers and times only, so that nothing needs quoting; array literals parse faster than the driver's own arrays.
const arrayText = (values: readonly (number | string | null)[]) => `{${values.map((value) => value ?? 'NULL').join(',')}}`
const timesText = (times: readonly Date[]) => `{${times.map((time) => `"${time.toISOString()}"`).join(',')}}`

const uuidPattern = /^[0-9a-f-]{36}$/i
const uuidText = (ids: readonly (string | null)[]) => arrayText(ids.map((id) => (id && uuidPattern.test(id) ? id : null)))

type Column = { name: string; type: string; text: (rows: readonly StoredSample[]) => string }

const columns: readonly Column[] = [
  { name: 'controlPcbId', type: 'uuid', text: (rows) => uuidText(rows.map(({ controlPcbId }) => controlPcbId)) },
  { name: 'ts', type: 'timestamptz', text: (rows) => timesText(rows.map(({ sample }) => sample.at)) },
  { name: 'receivedAt', type: 'timestamptz', text: (rows) => timesText(rows.map(({ receivedAt }) => receivedAt)) },
  { name: 'essId', type: 'uuid', text: (rows) => uuidText(rows.map(({ essId }) => essId)) },
  { name: 'packageId', type: 'uuid', text: (rows) => uuidText(rows.map(({ packageId }) => packageId)) },
  { name: 'quality', type: 'int2', text: (rows) => arrayText(rows.map(({ sample }) => qualities.indexOf(sample.quality))) },
  ...channels.map(
    (channel): Column => ({
      name: channel.name,
      type: columnType(channel),
      text: (rows) => arrayText(rows.map(({ sample }) => storedValue(channel, sample.values[channel.name]))),
    }),
  ),
]

const names = sql.raw(columns.map(({ name }) => `"${name}"`).join(', '))

/** Time of a sample that came or went. */
export type Moment = { controlPcbId: string; at: Date }

const counterNames = countersOf(channels).map(({ name }) => name)

/** Samples after an hour on which the hour's result depends: the next one, and for each counter the next one with a value. */
const behind = sql.join(
  counterNames.map(
    (name) => sql`(select "ts" from "telemetry" "k" where "k"."controlPcbId" = "c"."id" and "k"."ts" >= "c"."ts"
      and "k"."ts" < "c"."ts" + interval '2 days' and "k".${sql.id(name)} is not null order by "k"."ts" limit 1)`,
  ),
)

/** Where counters that came were last known, when the sample "p" before them lacks them. */
const ahead = sql.join(
  counterNames.map(
    (
      name,
    ) => sql`case when "p".${sql.id(name)} is null and exists (select 1 from "telemetry" "i" where "i"."controlPcbId" = "c"."id"
        and "i"."ts" >= "c"."first" and "i"."ts" < "c"."hour" + interval '1 hour' and "i".${sql.id(name)} is not null)
      then (select "ts" from "telemetry" "k" where "k"."controlPcbId" = "c"."id" and "k"."ts" < "p"."ts"
        and "k"."ts" >= "p"."ts" - interval '2 days' and "k".${sql.id(name)} is not null order by "k"."ts" desc limit 1) end`,
  ),
)
const namesBefore = sql.join(
  counterNames.map((name) => sql`, "t".${sql.id(name)}`),
  sql``,
)
const hourOf = (time: RawBuilder<unknown>) => binned('1 hour', time)
const isJudged = sql.raw(hasOwnTime('t'))

const ofZones = sql`select * from "zones"`
const hoursOfStale = sql`select "controlPcbId" as "id", generate_series(${hourOf(sql`"day"`)}, "until" - interval '1 ms', interval '1 hour') as "hour" from "stale"`

/**
 * Marks hours and days of samples for roll-up: their own; before them, those since each counter was last known, over which a silence
 * is shared, or was until a late sample came; after a late sample those until each counter is next known, plus ten minutes for
 * glitches, because growth belongs to the later of two samples; and those of other silences that reach into any of these. A day that
 * overlaps one of them was made by another rule, and gives way to those of its hours. The rows stay locked until commit, so that a
 * roll-up cannot close an hour in between.
 */
export async function openHours(db: Queryable, rows: readonly Moment[]): Promise<void> {
  const ids = uuidText(rows.map(({ controlPcbId }) => controlPcbId))
  const times = timesText(rows.map(({ at }) => at))
  await rowsOf(
    db,
    sql`${prepared} with recursive "came" as (select "id", ${hourOf(sql`"ts"`)} as "hour", min("ts") as "first", max("ts") as "last"
        from unnest(${ids}::uuid[], ${times}::timestamptz[]) as "u" ("id", "ts") group by 1, 2),
      "next" as materialized (select "c"."id", "c"."hour", "n"."ts" from "came" "c" cross join lateral
        (select "ts" from "telemetry" "t" where "t"."controlPcbId" = "c"."id" and ${isJudged} and "t"."ts" >= "c"."hour" + interval '1 hour'
          order by "ts" limit 1) "n"),
      "before" as materialized (select "c".*, least("p"."ts", ${ahead}) as "ts" from "came" "c" cross join lateral
        (select "t"."ts"${namesBefore} from "telemetry" "t" where "t"."controlPcbId" = "c"."id" and ${isJudged} and "t"."ts" < "c"."first"
          order by "t"."ts" desc limit 1) "p"),
      "touched" as (select "id", "hour" from "came" union
        select "b"."id", generate_series(${hourOf(sql`"b"."ts"`)}, "b"."hour" - interval '1 hour', interval '1 hour') from "before" "b"
          where "b"."ts" < "b"."hour" and ("b"."ts" < "b"."first" - ${sql.lit(leastSilenceS)} * interval '1 s'
            or exists (select 1 from "telemetry" "t" where "t"."controlPcbId" = "b"."id" and "t"."ts" > "b"."last")) union
        select "c"."id", generate_series("c"."hour" + interval '1 hour', ${hourOf(sql`"k"."at" + "g"."after"`)}, interval '1 hour')
          from "next" "c" cross join lateral (select "c"."ts" as "at" union select unnest(array[${behind}])) "k"
          cross join (values (interval '0'), (interval '10 min')) as "g" ("after") where "k"."at" is not null),
      ${joinedHours(sql`"touched"`)},
      "zones" as materialized (${boardZones(sql`select distinct "id" from "came"`)}),
      "days" as (${daysOfHours(sql`select * from "joined"`, ofZones)}),
      "stale" as (delete from "telemetryOpenDay" "o" using "days" "d" where "o"."controlPcbId" = "d"."id"
        and "o"."day" < "d"."until" and "o"."until" > "d"."day"
        and not exists (select 1 from "days" "x" where "x"."id" = "o"."controlPcbId" and "x"."day" = "o"."day") returning "o".*),
      "hours" as (insert into "telemetryOpenHour" ("controlPcbId", "hour")
        select "id", "hour" from "joined" order by 1, 2
        on conflict ("controlPcbId", "hour") do update set "hour" = excluded."hour")
      insert into "telemetryOpenDay" ("controlPcbId", "day", "until")
        select * from "days" union (${daysOfHours(hoursOfStale, ofZones)}) order by 1, 2
        on conflict ("controlPcbId", "day") do update set "until" = excluded."until"`,
  )
}

/**
 * Stores samples, in a transaction. Idempotent: a second sample of a board and time is ignored. The monthly partitions must
 * exist.
 */
export async function insertSamples(db: Queryable, rows: readonly StoredSample[]): Promise<void> {
  if (rows.length === 0) return
  const arrays = sql.join(columns.map(({ type, text }) => sql`${text(rows)}::${sql.raw(type)}[]`))
  const moments = rows.map(({ controlPcbId, sample }) => ({ controlPcbId, at: sample.at }))
  await Promise.all([
    rowsOf(db, sql`${prepared} insert into "telemetry" (${names}) select * from unnest(${arrays}) on conflict do nothing`),
    openHours(db, moments),
  ])
}

function rolledTypes(channel: NamedChannel): string[] {
  const type =
    channel.rollUp === 'counter'
      ? columnType(channel)
      : { mean: 'float4', state: 'int2', flags: 'int8', none: 'int4' }[channel.rollUp]
  return rolledColumns([channel]).map(() => type)
}
const typesOfRolled = ['float4', ...chartChannels.flatMap(rolledTypes)]
const rolledNames = sql.raw(['seconds', ...rolledColumns(chartChannels)].map((name) => `"${name}"`).join(', '))

/** Rows of a board for a past without samples; a row has its seconds and then the columns of each chart channel. */
export type RolledRows = {
  step: RolledStep
  controlPcbId: string
  rows: readonly (readonly (number | null)[])[]
  /** An array of their starts. */
  times: RawBuilder<unknown>
}

/** Stores rolled-up rows where none are. */
export async function insertRolled(db: Queryable, { step, controlPcbId, rows, times }: RolledRows): Promise<void> {
  if (rows.length === 0) return
  const arrays = typesOfRolled.map((type, at) => sql`${arrayText(rows.map((row) => row[at] ?? null))}::${sql.raw(type)}[]`)
  await sql`insert into ${sql.table(rolledTables[step])} ("controlPcbId", "ts", ${rolledNames})
    select ${controlPcbId}::uuid, "u".* from unnest(${times}, ${sql.join(arrays)}) as "u" on conflict do nothing`.execute(db)
}
