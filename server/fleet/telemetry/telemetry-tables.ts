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

/** Seconds of silences over which the growth of counters was shared. */
const gapSeconds = ['telemetry5m', 'telemetry1h', 'telemetry1d'].map(
  (name) => `alter table "${name}" add column "gapSeconds" float4;`,
)

/** Rolled-up rows tell how much of them is estimated. */
export const estimatedRows = gapSeconds.join('\n')
