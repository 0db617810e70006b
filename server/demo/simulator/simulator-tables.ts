/** State of each plant at the start of a day, and the planned faults of boards. */
export const simulatorTables = `
create table "simulatorDay" (
  "essId" text not null,
  "day" int4 not null,
  "state" jsonb not null,
  primary key ("essId", "day")
);
create table "simulatorFault" (
  "id" text primary key,
  "controlPcbId" text not null,
  "kind" text not null,
  "startedAt" timestamptz(3) not null,
  "endsAt" timestamptz(3) not null
);
create index "simulatorFault_endsAt_ix" on "simulatorFault" ("endsAt");
`
