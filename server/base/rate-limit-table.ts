export const rateLimitTable = `
create table "loginAttempt" (
  "id" bigint generated always as identity primary key,
  "key" text not null,
  "at" timestamptz(3) not null default now()
);
create index "loginAttempt_key_ix" on "loginAttempt" ("key", "at");
`

/** `openUntil`: set while an attempt is under way; one that is never finished counts as failed after that time. */
export const openAttempts = 'alter table "loginAttempt" add column "openUntil" timestamptz(3);'
