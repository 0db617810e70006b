/**
 * Notifications are events of one user; devices are the targets of pushes. A push id may exceed the size of an index entry, so
 * its hash is unique instead.
 */
export const pushTables = `
alter table "event" add column "userId" text, add column "note" jsonb;
create index "event_order_ix" on "event" ("xid", "id");
create unique index "event_note_key" on "event" ("entityId") where "userId" is not null;
create table "device" (
  "id" text primary key,
  "userId" text not null,
  "platform" text not null,
  "pushId" text not null,
  "pushIdHash" text not null unique,
  "isDebug" bool not null,
  "label" text not null default '',
  "createdAt" timestamptz(3) not null,
  "lastSeenAt" timestamptz(3) not null,
  "lastOkAt" timestamptz(3),
  "failures" int4 not null default 0,
  "disabledAt" timestamptz(3)
);
create index "device_userId_ix" on "device" ("userId", "lastSeenAt" desc);
create table "pushJob" (
  "id" bigint generated always as identity primary key,
  "deviceId" text not null references "device" ("id") on delete cascade,
  "userId" text not null,
  "note" jsonb not null,
  "attempts" int4 not null default 0,
  "dueAt" timestamptz(3) not null
);
create index "pushJob_dueAt_ix" on "pushJob" ("dueAt");
create index "pushJob_deviceId_ix" on "pushJob" ("deviceId");
`

/** Only notices are unique by their id: the same record may be gained and lost by several people. */
export const changesOfPeople = `
drop index "event_note_key";
create unique index "event_note_key" on "event" ("entityId") where "note" is not null;
`
