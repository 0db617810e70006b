/** A token references its predecessor and records its first use: an unused one may come from a lost response. */
export const tokenUse = `
alter table "sessionToken" add column "parentHash" text, add column "usedAt" timestamptz(3), add column "revokedAt" timestamptz(3);
update "sessionToken" set "usedAt" = now();
create index "sessionToken_parentHash_ix" on "sessionToken" ("parentHash");
`

/** Tabs may refresh one token concurrently, so a session has all tokens issued, each with its own expiry. */
export const sessionTables = `
create table "session" (
  "id" text primary key,
  "userId" text not null,
  "createdAt" timestamptz(3) not null default now(),
  "lastSeenAt" timestamptz(3) not null default now(),
  "absoluteExpiresAt" timestamptz(3) not null,
  "label" text not null default '',
  "ip" text,
  "endedAt" timestamptz(3),
  "endReason" text
);
create index "session_userId_ix" on "session" ("userId") where "endedAt" is null;
create index "session_absoluteExpiresAt_ix" on "session" ("absoluteExpiresAt");
create table "sessionToken" (
  "hash" text primary key,
  "sessionId" text not null references "session" ("id") on delete cascade,
  "expiresAt" timestamptz(3) not null,
  "replacedAt" timestamptz(3)
);
create index "sessionToken_sessionId_ix" on "sessionToken" ("sessionId");
create table "credential" (
  "userId" text primary key,
  "passwordHash" text not null,
  "changedAt" timestamptz(3) not null default now()
);
`
