/** Fleet-wide thresholds; a code without a row uses the standard. */
export const limitTables = `
create table "warningThreshold" (
  "key" text primary key,
  "delayS" int4 not null,
  "levels" jsonb not null,
  "version" int4 not null default 1,
  "updatedAt" timestamptz(3) not null,
  "updatedBy" text
);
`

/** A threshold that was brought back to its standard keeps its row: its version goes on, so that no older form fits again. */
export const resetLimits =
  'alter table "warningThreshold" alter column "delayS" drop not null, alter column "levels" drop not null;'
