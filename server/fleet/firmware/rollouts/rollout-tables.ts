/** The boards of a rollout by wave. The result of a requested board is that of its update. */
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

/** Reasons for a board of the first wave. */
export const rolloutChoices = 'alter table "rolloutTarget" add column "choice" jsonb;'

/** Waiting, requested and skipped boards are counted every few seconds; this index replaces one on updates. */
export const rolloutStateIndex = `
create index "rolloutTarget_state_ix" on "rolloutTarget" ("rolloutId", "state", "wave");
drop index if exists "firmware_update_rollout_ix";
`
