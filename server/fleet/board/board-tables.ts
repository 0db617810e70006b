/** What boards report of themselves, and what they were asked to do; written by ingest and by the configuration call. */
export const boardTables = `
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
create table "configuration" (
  "controlPcbId" text not null,
  "version" int4 not null,
  "desired" jsonb not null,
  "reason" text,
  "requestedAt" timestamptz(3) not null default now(),
  "requestedBy" text,
  primary key ("controlPcbId", "version")
);
create table "demoAccount" ("userId" text primary key);
create table "firmwareFile" (
  "firmwareId" text primary key,
  "content" bytea not null
);
`

/** What became of each version, told by the board; what it said last is known of older databases, too. */
export const configurationOutcomes = `
alter table "configuration" add column "outcome" text check ("outcome" in ('APPLIED', 'REJECTED')),
  add column "outcomeAt" timestamptz(3), add column "outcomeReason" text;
update "configuration" "c" set "outcome" = 'APPLIED', "outcomeAt" = "s"."appliedAt" from "boardState" "s"
  where "s"."controlPcbId" = "c"."controlPcbId" and "s"."reportedVersion" = "c"."version" and "s"."appliedAt" is not null;
update "configuration" "c" set "outcome" = 'REJECTED', "outcomeReason" = "s"."rejectReason" from "boardState" "s"
  where "s"."controlPcbId" = "c"."controlPcbId" and "s"."rejectedVersion" = "c"."version";
`

/** Boards that are asked to log everything are few and looked for every few seconds. */
export const debugIndex = `
create index "configuration_debug_ix" on "configuration" ("controlPcbId", "version") where "desired"->>'logLevel' = 'DEBUG';
`

/** Boards that are to update by themselves are looked for every minute; most fleets have few of them or none. */
export const autoUpdateIndex = `
create index "configuration_autoUpdate_ix" on "configuration" ("controlPcbId", "version") where "desired"->>'autoUpdate' = 'true';
`

/** What cells may be set to, where somebody has set it for the fleet; what has no row is as the standard says. */
export const chemistryTables = `
create table "chemistryPreset" (
  "chemistry" text primary key,
  "cells" jsonb not null,
  "version" int4 not null default 1,
  "updatedAt" timestamptz(3) not null,
  "updatedBy" text
);
`
