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

/**
 * Configurations that rollouts have brought to boards, with what became of them, and the template as it was at the start.
 * `isOnline`: the board was online when it was asked.
 */
export const rolloutConfigurations = `
create table "rolloutConfiguration" (
  "rolloutId" text not null,
  "controlPcbId" text not null,
  "wave" int4 not null,
  "version" int4 not null,
  "state" text not null default 'OPEN' check ("state" in ('OPEN', 'SUCCEEDED', 'FAILED', 'CANCELED')),
  "failure" text check ("failure" in ('REJECTED', 'TIMEOUT')),
  "isOnline" boolean not null,
  "startedAt" timestamptz(3) not null,
  "deadlineAt" timestamptz(3) not null,
  "finishedAt" timestamptz(3),
  primary key ("rolloutId", "controlPcbId")
);
create index "rolloutConfiguration_open_ix" on "rolloutConfiguration" ("controlPcbId") where "finishedAt" is null;
create table "rolloutTemplate" (
  "rolloutId" text primary key,
  "templateId" text not null,
  "settings" jsonb not null,
  "product" text not null,
  "essModelId" text
);
`

/** Boards of rollouts as a resource. They are created with their rollout, so they have no timestamps of their own. */
export const rolloutBoardView = `
create view "rollout_board" as
  select "rolloutId" || ' ' || "controlPcbId" as "id", 1::int4 as "version", null::timestamptz as "createdAt", null::text as "createdBy",
    null::timestamptz as "updatedAt", null::text as "updatedBy", "rolloutId", "controlPcbId", "wave", "state" as "target", "reason"
  from "rolloutTarget";
`
