/**
 * Passkeys of people: the public half of a key that a device keeps. `counter` is what the device counted at the last use; most passkeys
 * that are synchronised count nothing. A ceremony is the time between the options of a call and the answer of the device: it is good
 * once, for one purpose and for the one that asked.
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
