export const rateLimitTable = `
create table "loginAttempt" (
  "id" bigint generated always as identity primary key,
  "key" text not null,
  "at" timestamptz(3) not null default now()
);
create index "loginAttempt_key_ix" on "loginAttempt" ("key", "at");
`
