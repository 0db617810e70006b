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

/** How many boards wait, were asked, or were left out is counted every few seconds; an index of updates has another in its place. */
export const rolloutStateIndex = `
create index "rolloutTarget_state_ix" on "rolloutTarget" ("rolloutId", "state", "wave");
drop index if exists "firmware_update_rollout_ix";
`
