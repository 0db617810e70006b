/** The definitions that the tables stand by, as text, so that the order of their parts is kept. */
export const appliedDefinitionTable = `
create table "appliedDefinition" (
  "resource" text primary key,
  "definition" json not null,
  "at" timestamptz(3) not null default now()
);
`
