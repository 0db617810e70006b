/**
 * Samples in the time of a case file, kept when their month goes: as they stood, whatever columns a later step of the migrations
 * adds. Which case they are of is said by board and time.
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
