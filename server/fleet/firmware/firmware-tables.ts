export const firmwareFileTable = `
create table "firmwareFile" (
  "firmwareId" text primary key,
  "content" bytea not null
);
`

/** Files whose bytes no longer match their hash are marked and never offered. */
export const damagedFiles = 'alter table "firmwareFile" add column if not exists "damagedAt" timestamptz(3)'
