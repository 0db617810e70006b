/**
 * Second factors. A secret without `confirmedAt` is an unfinished enrolment; `lastStep` is the period of the last accepted
 * code. A challenge is the state between password and second factor: it is no session and authorises only its own calls.
 */
export const factorTables = `
alter table "session" add column "confirmedAt" timestamptz(3);
update "session" set "confirmedAt" = "createdAt";
create table "totp" (
  "userId" text primary key,
  "secret" text not null,
  "createdAt" timestamptz(3) not null,
  "confirmedAt" timestamptz(3),
  "lastStep" bigint
);
create table "recoveryCode" (
  "userId" text not null,
  "hash" text not null,
  "usedAt" timestamptz(3),
  primary key ("userId", "hash")
);
create table "challenge" (
  "hash" text primary key,
  "userId" text not null,
  "step" text not null,
  "changedAt" timestamptz(3),
  "expiresAt" timestamptz(3) not null
);
create index "challenge_expiresAt_ix" on "challenge" ("expiresAt");
`
