/** Ids are committed out of order: readers order by transaction id and stop at the oldest running transaction. */
export const eventTable = `
create table "event" (
  "id" bigint generated always as identity primary key,
  "at" timestamptz(3) not null default now(),
  "resource" text not null,
  "entityId" text not null,
  "version" int4 not null,
  "type" text not null,
  "xid" xid8 not null default pg_current_xact_id()
);
create index "event_at_ix" on "event" ("at");
`
