/** Boards of a rollout by wave. The result of a requested board is that of its update. */
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

/** Reasons for the choice of a first-wave board. */
export const rolloutChoices = 'alter table "rolloutTarget" add column "choice" jsonb;'

/** Waiting, requested and skipped boards are counted every few seconds; this index replaces one on updates. */
export const rolloutStateIndex = `
create index "rolloutTarget_state_ix" on "rolloutTarget" ("rolloutId", "state", "wave");
drop index if exists "firmware_update_rollout_ix";
`

/** Boards of rollouts as a resource. They are created with their rollout, so they have no timestamps of their own. */
export const rolloutBoardView = `
create view "rollout_board" as
  select "rolloutId" || ' ' || "controlPcbId" as "id", 1::int4 as "version", null::timestamptz as "createdAt", null::text as "createdBy",
    null::timestamptz as "updatedAt", null::text as "updatedBy", "rolloutId", "controlPcbId", "wave", "state" as "target", "reason"
  from "rolloutTarget";
`
