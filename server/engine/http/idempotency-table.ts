/** Responses to calls with an `Idempotency-Key`, replayed to the same caller for the same key. */
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
