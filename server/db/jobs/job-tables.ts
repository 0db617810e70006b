/** The lease of background work: one process holds it at a time. */
export const leaseTable = `
create table "lease" (
  "name" text primary key,
  "holder" text not null,
  "expiresAt" timestamptz(3) not null
);
`

export const leaseBreaks = `alter table "lease" add column if not exists "heldSince" timestamptz(3) not null default '-infinity'`
