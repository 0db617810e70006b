/** One-time links of mails; only the token's hash is stored. */
export const linkTable = `
create table "link" (
  "id" text primary key,
  "kind" text not null,
  "tokenHash" text not null unique,
  "userId" text,
  "email" text,
  "invitationId" text,
  "expiresAt" timestamptz(3) not null,
  "usedAt" timestamptz(3),
  "createdAt" timestamptz(3) not null default now()
);
create index "link_userId_ix" on "link" ("userId", "kind");
create index "link_invitationId_ix" on "link" ("invitationId");
`
