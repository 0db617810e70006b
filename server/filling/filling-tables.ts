/** Former values of the fields that an import has changed in a record; null where it made the record. */
export const importChanges = `
alter table "importJob" add column "restored" int4;
update "importJob" set "restored" = 0 where "undoneAt" is not null;
alter table "importJobRow" add column "before" jsonb;
`

/** Imported files with the records that each created, so that an import can be undone. */
export const importTables = `
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
`
