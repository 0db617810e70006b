/**
 * Working state of warnings: conditions that have not lasted long enough, openings of the last hour (a flapping warning
 * notifies once), and pending notifications.
 */
export const warningTables = `
create table "warningMemory" (
  "controlPcbId" text primary key,
  "memory" jsonb not null default '{}'
);
create table "warningOpening" (
  "id" bigint generated always as identity primary key,
  "place" text not null,
  "code" text not null,
  "at" timestamptz(3) not null
);
create index "warningOpening_place_ix" on "warningOpening" ("place", "code", "at");
create table "warningNotice" (
  "id" bigint generated always as identity primary key,
  "warningId" text not null,
  "severity" text not null,
  "userId" text,
  "dueAt" timestamptz(3) not null
);
create index "warningNotice_dueAt_ix" on "warningNotice" ("dueAt");
`

/** One open warning per place; before this migration a board had one for all places. */
export const warningPlaces = `drop index if exists "telemetry_warning_open_uq"`
