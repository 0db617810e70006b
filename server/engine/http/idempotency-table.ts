/** Answers of calls with an `Idempotency-Key`, repeated to a caller who sends the same key again. */
export const idempotencyTable = `
create table "idempotency" (
  "key" text not null,
  "userId" text not null,
  "method" text not null,
  "path" text not null,
  "bodyHash" text not null,
  "status" int4,
  "answer" text,
  "createdAt" timestamptz(3) not null default now(),
  primary key ("userId", "key")
);
create index "idempotency_createdAt_ix" on "idempotency" ("createdAt");
`
