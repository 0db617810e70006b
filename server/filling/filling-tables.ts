/** Files that were brought in, with the records that each made, so that it can be undone; and which records are the demo's. */
export const fillingTables = `
create table "importJob" (
  "id" text primary key,
  "at" timestamptz(3) not null,
  "actorId" text not null,
  "target" text not null,
  "fileName" text not null,
  "total" int4 not null,
  "created" int4 not null,
  "updated" int4 not null,
  "skipped" int4 not null,
  "failed" int4 not null,
  "undoneAt" timestamptz(3),
  "removed" int4,
  "kept" jsonb
);
create index "importJob_at_ix" on "importJob" ("at" desc, "id");
create table "importJobRow" (
  "jobId" text not null references "importJob" ("id") on delete cascade,
  "entityId" text not null,
  "code" text not null,
  "version" int4 not null,
  primary key ("jobId", "entityId")
);
create table "demoRecord" (
  "table" text not null,
  "id" text not null,
  primary key ("table", "id")
);
`
