/**
 * Samples within a case file, copied before their month is dropped. They keep their original columns. Board and time lead to
 * the case.
 */
export const caseTables = `
create sequence "caseNumber";
create table "caseSample" (
  "controlPcbId" uuid not null,
  "ts" timestamptz(3) not null,
  "sample" jsonb not null,
  primary key ("controlPcbId", "ts")
);
`
