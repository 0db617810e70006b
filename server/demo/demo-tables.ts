export const demoAccountTable = `
create table "demoAccount" ("userId" text primary key);
`

/** Records of the demo fleet; removing the demo removes these. */
export const demoRecordTable = `
create table "demoRecord" (
  "table" text not null,
  "id" text not null,
  primary key ("table", "id")
);
`
