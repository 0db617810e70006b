export const firmwareFileTable = `
create table "firmwareFile" (
  "firmwareId" text primary key,
  "content" bytea not null
);
`

/** Images are read piece by piece: what is stored uncompressed can be cut without reading the whole. */
export const imagePieces = 'alter table "firmwareFile" alter column "content" set storage external'

/** Files whose bytes no longer match their hash are marked and never offered. */
export const damagedFiles = 'alter table "firmwareFile" add column if not exists "damagedAt" timestamptz(3)'
