/**
 * Passkeys: the public key of a credential. `counter` is the device's signature counter at the last use; most synchronised
 * passkeys do not count. A ceremony is the period between the options and the device's response: single-use, for one purpose
 * and one requester.
 */
export const passkeyTables = `
create table "passkey" (
  "id" text primary key,
  "userId" text not null,
  "credentialId" text not null unique,
  "publicKey" text not null,
  "counter" bigint not null,
  "transports" text not null,
  "name" text not null,
  "createdAt" timestamptz(3) not null,
  "lastUsedAt" timestamptz(3)
);
create index "passkey_userId_ix" on "passkey" ("userId");
create table "passkeyCeremony" (
  "hash" text primary key,
  "purpose" text not null,
  "boundHash" text not null,
  "expiresAt" timestamptz(3) not null
);
create index "passkeyCeremony_expiresAt_ix" on "passkeyCeremony" ("expiresAt");
`
