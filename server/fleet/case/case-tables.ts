/**
 * Samples of a case file, copied with their original columns before their month is dropped. Board and time identify the case.
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
