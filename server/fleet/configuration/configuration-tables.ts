/** Every version of a board's desired configuration. */
export const configurationTable = `
create table "configuration" (
  "controlPcbId" text not null,
  "version" int4 not null,
  "desired" jsonb not null,
  "reason" text,
  "requestedAt" timestamptz(3) not null default now(),
  "requestedBy" text,
  primary key ("controlPcbId", "version")
);
`

/** Outcome of each version as reported by the board; existing databases derive it from the last report. */
export const configurationOutcomes = `
alter table "configuration" add column "outcome" text check ("outcome" in ('APPLIED', 'REJECTED')),
  add column "outcomeAt" timestamptz(3), add column "outcomeReason" text;
update "configuration" "c" set "outcome" = 'APPLIED', "outcomeAt" = "s"."appliedAt" from "boardState" "s"
  where "s"."controlPcbId" = "c"."controlPcbId" and "s"."reportedVersion" = "c"."version" and "s"."appliedAt" is not null;
update "configuration" "c" set "outcome" = 'REJECTED', "outcomeReason" = "s"."rejectReason" from "boardState" "s"
  where "s"."controlPcbId" = "c"."controlPcbId" and "s"."rejectedVersion" = "c"."version";
`

/** Finds the few boards in debug mode, which a job looks up every few seconds. */
export const debugIndex = `
create index "configuration_debug_ix" on "configuration" ("controlPcbId", "version") where "desired"->>'logLevel' = 'DEBUG';
`

/** Finds the few boards with automatic updates, which a job looks up every minute. */
export const autoUpdateIndex = `
create index "configuration_autoUpdate_ix" on "configuration" ("controlPcbId", "version") where "desired"->>'autoUpdate' = 'true';
`

/** Cell limits set by an admin; a chemistry without a row uses the standard. */
export const chemistryTables = `
create table "chemistryPreset" (
  "chemistry" text primary key,
  "cells" jsonb not null,
  "version" int4 not null default 1,
  "updatedAt" timestamptz(3) not null,
  "updatedBy" text
);
`

/** A preset that was brought back to its standard keeps its row: its version goes on, so that no older form fits again. */
export const resetPresets = 'alter table "chemistryPreset" alter column "cells" drop not null;'

/** The template that each board had last, with what it held then left to the versions of the configuration. */
export const boardTemplateTable = `
create table "boardTemplate" (
  "controlPcbId" text primary key,
  "templateId" text not null,
  "appliedAt" timestamptz(3) not null
);
create index "boardTemplate_templateId_ix" on "boardTemplate" ("templateId");
`
