/** Signing secrets of webhooks, encrypted; the one without an end is current. */
export const webhookTables = `
create table "webhookSecret" (
  "id" text primary key,
  "webhookId" text not null,
  "secret" text not null,
  "createdAt" timestamptz(3) not null,
  "until" timestamptz(3)
);
create index "webhookSecret_webhookId_ix" on "webhookSecret" ("webhookId", "createdAt" desc);
`
