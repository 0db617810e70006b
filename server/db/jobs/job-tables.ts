/** Who does the work that only one process may do, and until when he may take it for granted; what it last knew of boards. */
export const jobTables = `
create table "lease" (
  "name" text primary key,
  "holder" text not null,
  "expiresAt" timestamptz(3) not null
);
create table "boardConnection" (
  "controlPcbId" text primary key,
  "state" text not null,
  "since" timestamptz(3) not null
);
`

/** Boards that were found silent or back lately are looked for every few seconds; they are few of a large fleet. */
export const connectionTimes = `create index "boardConnection_since_ix" on "boardConnection" ("since")`

export const leaseBreaks = `alter table "lease" add column if not exists "heldSince" timestamptz(3) not null default '-infinity'`
