/** Escalated warnings and their recipients: each notified once, and of the end as well. */
export const escalationTables = `
create table "warningEscalation" (
  "warningId" text not null,
  "userId" text not null,
  "at" timestamptz(3) not null,
  "recoveredAt" timestamptz(3),
  primary key ("warningId", "userId")
);
create index "warningEscalation_open_ix" on "warningEscalation" ("warningId") where "recoveredAt" is null;
`
