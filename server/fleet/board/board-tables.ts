/** Last report of each board; written by ingest. */
export const boardStateTable = `
create table "boardState" (
  "controlPcbId" text primary key,
  "lastPacketAt" timestamptz(3),
  "lastValidPacketAt" timestamptz(3),
  "lastSampleAt" timestamptz(3),
  "transport" text,
  "rssiDbm" int4,
  "ip" text,
  "uptimeS" int8,
  "rebootCount" int4,
  "lastResetReason" text,
  "supplyMv" int4,
  "boardTempC" float8,
  "freeHeapB" int8,
  "clockOffsetMs" int8,
  "firmwareVersion" text,
  "previousVersion" text,
  "bootloaderVersion" text,
  "firmwareReportedAt" timestamptz(3),
  "reportIntervalS" int4 not null default 60,
  "reported" jsonb,
  "reportedVersion" int4,
  "appliedAt" timestamptz(3),
  "rejectedVersion" int4,
  "rejectReason" text,
  "sample" jsonb
);
`

/** Marks a sample dated by its arrival, because the board's clock was wrong. */
export const estimatedSamples = 'alter table "boardState" add column "isEstimated" boolean not null default false;'

/** Connection state last announced for each board by the background job. */
export const boardConnectionTable = `
create table "boardConnection" (
  "controlPcbId" text primary key,
  "state" text not null,
  "since" timestamptz(3) not null
);
`

/** Recently changed boards are polled every few seconds; this index finds the few among many. */
export const connectionTimes = `create index "boardConnection_since_ix" on "boardConnection" ("since")`
