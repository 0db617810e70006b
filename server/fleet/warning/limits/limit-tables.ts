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
