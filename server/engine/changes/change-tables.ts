/** The definitions that the tables stand by, as text, so that the order of their parts is kept. */
export const appliedDefinitionTable = `
create table "appliedDefinition" (
  "resource" text primary key,
  "definition" json not null,
  "at" timestamptz(3) not null default now()
);
`

/** Plans that were applied, and the values that they took away, until they are purged. */
export const appliedPlanTables = `
create table "appliedPlan" (
  "id" text primary key,
  "at" timestamptz(3) not null default now(),
  "version" text not null,
  "plan" jsonb not null,
  "rows" int8 not null,
  "purgedAt" timestamptz(3)
);
create table "planArchive" (
  "planId" text not null references "appliedPlan" ("id") on delete cascade,
  "resource" text not null,
  "field" text not null,
  "recordId" text not null,
  "value" jsonb not null,
  primary key ("planId", "resource", "field", "recordId")
);
`
