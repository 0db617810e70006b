/**
 * ID token of a session that the provider has opened, for the sign-out there; sealed, and gone with the session. A challenge
 * hands it on to the session that the second factor opens.
 */
export const providerTokens = `
alter table "session" add column "providerToken" text;
alter table "challenge" add column "providerToken" text;
`

/**
 * OpenID Connect. A subject is the provider's permanent account id; a user has at most one. An attempt covers one authorisation
 * round trip: it is single-use and bound to the browser that started it.
 */
export const oidcTables = `
create table "oidcSubject" (
  "userId" text primary key,
  "issuer" text not null,
  "subject" text not null,
  "linkedAt" timestamptz(3) not null,
  "lastUsedAt" timestamptz(3) not null,
  unique ("issuer", "subject")
);
create table "oidcAttempt" (
  "hash" text primary key,
  "browserHash" text not null,
  "sessionId" text,
  "nonce" text not null,
  "verifier" text not null,
  "to" text not null,
  "startedAt" timestamptz(3) not null,
  "expiresAt" timestamptz(3) not null
);
create index "oidcAttempt_expiresAt_ix" on "oidcAttempt" ("expiresAt");
`
