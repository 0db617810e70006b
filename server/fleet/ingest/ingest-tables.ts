/**
 * Tables of ingest besides the packets. Demo keys are guessable and valid only while the demo is on. `packageHour` counts
 * packets per board, including duplicates, which are stored nowhere else.
 */
export const ingestTables = `
create table "deviceKey" (
  "controlPcbId" text primary key,
  "hash" text not null unique,
  "isDemo" boolean not null default false,
  "createdAt" timestamptz(3) not null default now(),
  "createdBy" text
);
create table "boardMemory" (
  "controlPcbId" text primary key,
  "memory" jsonb not null default '{}'
);
create table "packageHour" (
  "controlPcbId" text not null,
  "hour" timestamptz(3) not null,
  "valid" int4 not null default 0,
  "partial" int4 not null default 0,
  "invalid" int4 not null default 0,
  "duplicate" int4 not null default 0,
  "missed" int4 not null default 0,
  primary key ("controlPcbId", "hour")
);
create index "packageHour_hour_ix" on "packageHour" ("hour");
`

/** Counts packets of a version without a known layout: neither valid nor invalid. */
export const unreadPackets = 'alter table "packageHour" add column "unread" int4 not null default 0;'

/** Facts for connecting a board: last use of its key, attempts with expired keys, addresses with unknown keys, and refusals. */
export const connectionFacts = `
alter table "deviceKey" add column "lastUsedAt" timestamptz(3), add column "nextAt" timestamptz(3);
create table "formerKey" (
  "hash" text primary key,
  "controlPcbId" text not null,
  "endedAt" timestamptz(3) not null,
  "seenAt" timestamptz(3),
  "ip" text
);
create index "formerKey_board_ix" on "formerKey" ("controlPcbId");
create table "strangeKey" (
  "ip" text primary key,
  "seenAt" timestamptz(3) not null,
  "tries" int4 not null default 1
);
create table "boardContact" (
  "controlPcbId" text primary key,
  "otherUid" text,
  "otherUidAt" timestamptz(3),
  "refusal" text,
  "refusedAt" timestamptz(3)
);
`

/** The admin who has made the next key; null for one that the board has asked for itself. */
export const preparedKeys = 'alter table "deviceKey" add column "nextBy" text;'

/** Key rotation: the next key exists before its first use, and the former one for a while after. */
export const keyRotation = `
alter table "deviceKey" add column "nextHash" text unique, add column "oldHash" text unique, add column "oldUntil" timestamptz(3);
`

/** Hours with packets that are not valid, which few boards have: what asks for these reads no others. */
export const doubtfulHours =
  'create index "packageHour_doubtful_ix" on "packageHour" ("controlPcbId", "hour") where "partial" + "invalid" > 0;'
