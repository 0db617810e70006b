/** Former values of fields changed by an import; null when it created the record. */
export const importChanges = `
alter table "importJob" add column "restored" int4;
update "importJob" set "restored" = 0 where "undoneAt" is not null;
alter table "importJobRow" add column "before" jsonb;
`

/**
 * Progress of an import, written with each batch. `beatAt` is the database's time: an import that runs and has not beaten for a
 * while has lost its process. `runner` is the request that writes, so that one that was given up for dead writes no further batch.
 */
export const importProgress = `
alter table "importJob" add column "state" text not null default 'DONE' check ("state" in ('RUNNING', 'INTERRUPTED', 'DONE'));
alter table "importJob" add column "done" int4;
alter table "importJob" add column "beatAt" timestamptz(3);
alter table "importJob" add column "runner" text;
update "importJob" set "done" = "total";
alter table "importJob" alter column "done" set not null;
create unique index "importJob_running_uq" on "importJob" ("state") where "state" = 'RUNNING';
`

/** An undo goes on after the rows that it has taken back. */
export const undoProgress = `
alter table "importJobRow" add column "isUndone" boolean not null default false;
`

/** Each row that an undo left alone says why. Earlier undos have their reasons in a list of the job. */
export const undoTraces = `
alter table "importJobRow" add column "kept" text;
create index "importJobRow_kept_ix" on "importJobRow" ("jobId") where "kept" is not null;
`

/** The imports of a record: an undo moves the versions that earlier ones know. */
export const importsOfRecord = `
create index "importJobRow_entity_ix" on "importJobRow" ("entityId") where not "isUndone";
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
