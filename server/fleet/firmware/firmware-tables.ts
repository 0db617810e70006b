export const firmwareFileTable = `
create table "firmwareFile" (
  "firmwareId" text primary key,
  "content" bytea not null
);
`

/** Uncompressed storage: chunks of an image can be read without decompressing all of it. */
export const imagePieces = 'alter table "firmwareFile" alter column "content" set storage external'

/** Marks files whose bytes no longer match their hash; they are never offered. */
export const damagedFiles = 'alter table "firmwareFile" add column if not exists "damagedAt" timestamptz(3)'
