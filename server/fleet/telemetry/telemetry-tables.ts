import type { ClientBase } from 'pg'
import { formerOf, monthStart, rolledMonthly } from './monthly-partitions.ts'

/*
 * Samples as wide rows, and their roll-ups of 5 minutes, hours and days. The lists below belong to this migration: a later
 * channel adds its columns in a later one.
 */
const means = [
  'socPct',
  'sohPct',
  'batteryPowerW',
  'batteryVoltageV',
  'batteryCurrentA',
  'energyAvailableWh',
  'cellVoltageMinMv',
  'cellVoltageAvgMv',
  'cellVoltageMaxMv',
  'cellDeltaMv',
  'cellTempMinC',
  'cellTempAvgC',
  'cellTempMaxC',
  'mosfetTempC',
  'boardTempC',
  'ambientTempC',
  'chargeCurrentLimitA',
  'dischargeCurrentLimitA',
  'pvPowerW',
  'loadPowerW',
  'gridPowerW',
  'gridVoltageL1V',
  'gridVoltageL2V',
  'gridVoltageL3V',
  'gridFrequencyHz',
  'supplyMv',
  'rssiDbm',
] as const
const counters = [
  'chargeEnergyWh',
  'dischargeEnergyWh',
  'pvEnergyWh',
  'loadEnergyWh',
  'gridImportEnergyWh',
  'gridExportEnergyWh',
] as const
const states = ['chargeState', 'bankState', 'gridMode'] as const

const columns = (names: readonly string[], type: string) => names.map((name) => `  "${name}" ${type},`).join('\n')
const triples = (names: readonly string[], type: string) =>
  columns(
    names.flatMap((name) => [`${name}Avg`, `${name}Min`, `${name}Max`]),
    type,
  )

// No foreign key: there are many samples, and they are checked on ingest. Cell positions are module × 256 + cell, states are
// codes.
const samples = `
create table "telemetry" (
  "controlPcbId" uuid not null,
  "ts" timestamptz(3) not null,
  "receivedAt" timestamptz(3) not null,
  "essId" uuid,
  "packageId" uuid,
  "uptimeS" int8,
${columns(counters, 'int8')}
  "cycleCount" float8,
  "eventFlags" int8,
${columns(means, 'float4')}
  "cellVoltageMinPos" int4,
  "cellVoltageMaxPos" int4,
${columns(states, 'int2')}
  "quality" int2 not null,
  primary key ("controlPcbId", "ts")
) partition by range ("ts");
create index "telemetry_ts_ix" on "telemetry" using brin ("ts");
`

const rolled = (name: string) => `
create table "${name}" (
  "controlPcbId" uuid not null,
  "ts" timestamptz(3) not null,
${columns(
  counters.map((counter) => `${counter}Sum`),
  'int8',
)}
  "cycleCountSum" float8,
  "eventFlagsAny" int8,
  "seconds" float4 not null,
${triples([...means, 'uptimeS'], 'float4')}
${columns(
  states.map((state) => `${state}Last`),
  'int2',
)}
  primary key ("controlPcbId", "ts")
) with (fillfactor = 80);
create index "${name}_ts_ix" on "${name}" using brin ("ts");
`

// An hour is listed from its first sample until it is complete and rolled up; a day until its last hour is.
const open = `
create table "telemetryOpenHour" (
  "controlPcbId" uuid not null,
  "hour" timestamptz(3) not null,
  primary key ("controlPcbId", "hour")
);
create index "telemetryOpenHour_hour_ix" on "telemetryOpenHour" ("hour");
create table "telemetryOpenDay" (
  "controlPcbId" uuid not null,
  "day" timestamptz(3) not null,
  "until" timestamptz(3) not null,
  primary key ("controlPcbId", "day")
);
create index "telemetryOpenDay_until_ix" on "telemetryOpenDay" ("until");
`

export const telemetryTables = [samples, ...['telemetry5m', 'telemetry1h', 'telemetry1d'].map(rolled), open].join('\n')

/**
 * Gives rolled-up rows a partition a month. Rows that are there stay where they are, as one partition up to the month after the last of
 * them: to copy a year of a large fleet would hold up the start for hours.
 */
export async function partitionRolled(client: ClientBase): Promise<void> {
  for (const table of rolledMonthly) {
    const { rows } = await client.query<{ last: Date | string | null }>(`select max("ts") as "last" from "${table}"`)
    const last = rows[0]?.last
    const until = monthStart(new Date(last ?? 0), 1)
    const former = formerOf(table, until)
    await client.query(`alter table "${table}" rename to "${former}"`)
    await client.query(`alter index "${table}_pkey" rename to "${former}_pkey"`)
    await client.query(`alter index "${table}_ts_ix" rename to "${former}_ts_ix"`)
    await client.query(`create table "${table}" (like "${former}" including all) partition by range ("ts")`)
    if (last) {
      const bounds = `from (minvalue) to ('${until.toISOString()}')`
      await client.query(`alter table "${table}" attach partition "${former}" for values ${bounds}`)
    } else await client.query(`drop table "${former}"`)
  }
}

/** The zone if the database knows it, else UTC: an older engine may not know a zone that a user has chosen. */
const knownZone = `
create or replace function "knownZone"("zone" text) returns text language plpgsql stable as $$
begin
  perform timestamptz '2000-01-01Z' at time zone "zone";
  return coalesce("zone", 'UTC');
exception when invalid_parameter_value then return 'UTC';
end $$;
`

const covered = `now() - interval '398 days'`

// Days of two zones begin less than a day apart, near a move; a day of a changed clock has 23 hours.
const overlapping = `
select distinct "a"."controlPcbId"::uuid from "control_pcb_attachment" "a"
  cross join lateral (values ("a"."attachedAt"), ("a"."removedAt")) as "e" ("at")
  where "e"."at" > ${covered} and exists (select 1 from (select "d"."ts" - lag("d"."ts") over (order by "d"."ts") as "step" from "telemetry1d" "d"
    where "d"."controlPcbId" = "a"."controlPcbId"::uuid and "d"."ts" between "e"."at" - interval '2 days' and "e"."at" + interval '2 days') "s"
    where "s"."step" < interval '23 hours')`

/** Days in which a board came or went counted twice: they are rolled up again where 5-minute rows are kept. */
const mend = `
create temporary table "twice" on commit drop as ${overlapping};
analyze "twice";
delete from "telemetry1d" "r" using "twice" "b" where "r"."controlPcbId" = "b"."controlPcbId" and "r"."ts" >= ${covered};
delete from "telemetryOpenDay" "r" using "twice" "b" where "r"."controlPcbId" = "b"."controlPcbId" and "r"."day" >= ${covered};
with "stay" as (select "b"."controlPcbId" as "id", "o"."essId", "o"."attachedAt", "o"."removedAt",
    lag("o"."removedAt") over "w" as "leftBefore", lead("o"."attachedAt") over "w" is null as "isLast"
    from "twice" "b" left join "control_pcb_attachment" "o" on "o"."controlPcbId" = "b"."controlPcbId"::text
    window "w" as (partition by "b"."controlPcbId" order by "o"."attachedAt", "o"."id")),
  "cut" as (select "id", "essId", "isLast", date_bin('5 min', "attachedAt" + interval '299999 ms', '2000-01-01Z') as "came",
    date_bin('5 min', "removedAt" + interval '299999 ms', '2000-01-01Z') as "left",
    date_bin('5 min', "leftBefore" + interval '299999 ms', '2000-01-01Z') as "leftBefore" from "stay"),
  "zone" as (select "c"."id", "knownZone"("e"."location"->>'timezone') as "zone", "s"."since", "s"."until" from "cut" "c"
    left join "ess" "e" on "e"."id" = "c"."essId"
    cross join lateral (values (coalesce("c"."leftBefore", '-infinity'), coalesce("c"."came", 'infinity')),
      ("c"."came", coalesce("c"."left", 'infinity')), ("c"."left", case when "c"."isLast" then 'infinity'::timestamptz end)) as "s" ("since", "until")
    where "s"."since" < "s"."until"),
  "hours" as (select "r"."controlPcbId" as "id", "r"."ts" as "hour" from "twice" "b" join "telemetry1h" "r" on "r"."controlPcbId" = "b"."controlPcbId"
    union select "r"."controlPcbId", "r"."hour" from "twice" "b" join "telemetryOpenHour" "r" on "r"."controlPcbId" = "b"."controlPcbId"),
  "days" as (select "z"."id", greatest(date_trunc('day', "e"."at", "z"."zone"), "z"."since") as "day",
      max(least((date_trunc('day', "e"."at" at time zone "z"."zone") + interval '1 day') at time zone "z"."zone", "z"."until")) as "until"
    from "hours" "h" join "zone" "z" on "z"."id" = "h"."id" and "z"."since" < "h"."hour" + interval '1 hour' and "z"."until" > "h"."hour"
      cross join lateral (values (greatest("h"."hour", "z"."since")),
        (least("h"."hour" + interval '59 min', "z"."until" - interval '1 min'))) as "e" ("at") group by 1, 2)
insert into "telemetryOpenDay" ("controlPcbId", "day", "until") select * from "days" where "day" >= ${covered}
  on conflict ("controlPcbId", "day") do update set "until" = excluded."until";
`

/** Seconds of silences over which the growth of counters was shared. */
const gapSeconds = ['telemetry5m', 'telemetry1h', 'telemetry1d'].map(
  (name) => `alter table "${name}" add column "gapSeconds" float4;`,
)

/** Days end where their board comes or goes, in the zone of its site. */
export async function daysOfSites(client: ClientBase): Promise<void> {
  await client.query(knownZone)
  // A new database has its tables of records later than these.
  const { rows } = await client.query<{ found: boolean }>(`select to_regclass('control_pcb_attachment') is not null as "found"`)
  if (rows[0]?.found) await client.query(mend)
}

/** Rolled-up rows tell how much of them is estimated. */
export const estimatedRows = gapSeconds.join('\n')
