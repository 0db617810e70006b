/** The applied definitions, stored as text to preserve the order of keys. */
export const appliedDefinitionTable = `
create table "appliedDefinition" (
  "resource" text primary key,
  "definition" json not null,
  "at" timestamptz(3) not null default now()
);
`

/** Applied plans and the archive of values that they removed, until purged. */
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
