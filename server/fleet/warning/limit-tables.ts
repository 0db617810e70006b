/** Thresholds that somebody has set for the fleet; what has no row is as the standard says. */
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
