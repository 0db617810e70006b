export const demoAccountTable = `
create table "demoAccount" ("userId" text primary key);
`

/** Tags the records of the demo fleet for removal. */
export const demoRecordTable = `
create table "demoRecord" (
  "table" text not null,
  "id" text not null,
  primary key ("table", "id")
);
`
