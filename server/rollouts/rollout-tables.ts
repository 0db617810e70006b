/** The boards of a rollout, each in its wave. What became of one that was asked is told by its update. */
export const rolloutTables = `
create table "rolloutTarget" (
  "rolloutId" text not null,
  "controlPcbId" text not null,
  "wave" int4 not null,
  "state" text not null,
  "reason" text,
  primary key ("rolloutId", "controlPcbId")
);
`
