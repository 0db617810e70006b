/** Files of records, uploaded before the record is saved. Stored uncompressed, so that ranges can be read. */
export const fileTable = `
create table "storedFile" (
  "id" text primary key,
  "owner" text not null,
  "field" text not null,
  "name" text not null,
  "type" text not null,
  "sizeBytes" int4 not null,
  "sha256" text not null,
  "content" bytea not null,
  "uploadedBy" text not null,
  "uploadedAt" timestamptz(3) not null,
  "usedAt" timestamptz(3)
);
alter table "storedFile" alter column "content" set storage external;
create index "storedFile_uploadedAt_ix" on "storedFile" ("uploadedAt");
`
