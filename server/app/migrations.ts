import type { ClientBase } from 'pg'
import { connectionTimes, jobTables, leaseBreaks } from '#server/db/jobs/job-tables.ts'
import { demoFleetTable } from '#server/demo/fleet-plan.ts'
import { simulatorTables } from '#server/demo/simulator/simulator-tables.ts'
import { auditView } from '#server/engine/audit/audit-view.ts'
import { fillingTables } from '#server/filling/filling-tables.ts'
import {
  autoUpdateIndex,
  boardTables,
  chemistryTables,
  configurationOutcomes,
  debugIndex,
} from '#server/fleet/board/board-tables.ts'
import { caseTables } from '#server/fleet/case/case-tables.ts'
import { rolloutStateIndex, rolloutTables } from '#server/fleet/firmware/rollouts/rollout-tables.ts'
import { ingestTables } from '#server/fleet/ingest/ingest-tables.ts'
import { telemetryTables } from '#server/fleet/telemetry/telemetry-tables.ts'
import { limitTables } from '#server/fleet/warning/limit-tables.ts'
import { warningTables } from '#server/fleet/warning/warning-tables.ts'
import { noticeChoices } from '#server/notify/notice-choices.ts'
import { pushTables } from '#server/notify/push-tables.ts'

export type Migration = { id: string; up: string | ((client: ClientBase) => Promise<unknown>) }

const extension = async (client: ClientBase) => {
  await client.query('create extension if not exists pg_trgm').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The database needs the extension pg_trgm: let its owner run "create extension pg_trgm" once (${reason})`)
  })
}

// Tabs may renew one token at the same moment: a session has as many tokens as were given out, each with its own end.
const sessions = `
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
create table "loginAttempt" (
  "id" bigint generated always as identity primary key,
  "key" text not null,
  "at" timestamptz(3) not null default now()
);
create index "loginAttempt_key_ix" on "loginAttempt" ("key", "at");
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

const audit = `
create table "auditLog" (
  "id" text primary key,
  "at" timestamptz(3) not null default now(),
  "actorId" text,
  "role" text,
  "action" text not null,
  "entityType" text not null,
  "entityId" text,
  "code" text,
  "before" jsonb,
  "after" jsonb,
  "reason" text,
  "result" text not null default 'OK' check ("result" in ('OK', 'DENIED', 'FAILED')),
  "requestId" text,
  "ip" text
);
create index "auditLog_at_ix" on "auditLog" ("at" desc, "id");
create index "auditLog_entity_ix" on "auditLog" ("entityType", "entityId", "at" desc);
create index "auditLog_actorId_ix" on "auditLog" ("actorId", "at" desc);
create function "refuseChange"() returns trigger language plpgsql as $$
begin
  raise exception using errcode = '42501', message = 'entries of "' || tg_table_name || '" are never changed or removed';
end $$;
create trigger "auditLog_appendOnly" before update or delete or truncate on "auditLog" for each statement execute function "refuseChange"();
`

// Ids become visible out of order, so a reader asks for rows whose transaction is older than all running ones: that is what xid is for.
const events = `
create table "event" (
  "id" bigint generated always as identity primary key,
  "at" timestamptz(3) not null default now(),
  "resource" text not null,
  "entityId" text not null,
  "version" int4 not null,
  "type" text not null,
  "xid" xid8 not null default pg_current_xact_id()
);
create index "event_at_ix" on "event" ("at");
`

// What an ESS says of its model travelled under the name of another field of it, so its name could not be shown.
const essModelName = `
do $$ begin
  if exists (select 1 from information_schema.columns
    where table_schema = current_schema() and table_name = 'ess' and column_name = 'modelId') then
    alter table "ess" rename column "modelId" to "essModelId";
    drop index if exists "ess_modelId_ix";
  end if;
end $$;
`

/** Written steps in their order; a released one is never edited, a later one mends it. */
export const migrations: readonly Migration[] = [
  { id: '0001-text-search', up: extension },
  { id: '0002-sessions', up: sessions },
  { id: '0003-audit', up: audit },
  { id: '0004-events', up: events },
  { id: '0005-boards', up: boardTables },
  { id: '0006-push', up: pushTables },
  { id: '0007-audit-view', up: auditView },
  { id: '0008-ingest', up: ingestTables },
  { id: '0009-telemetry', up: telemetryTables },
  { id: '0010-filling', up: fillingTables },
  { id: '0011-jobs', up: jobTables },
  { id: '0012-simulator', up: simulatorTables },
  { id: '0013-warnings', up: warningTables },
  { id: '0014-rollouts', up: rolloutTables },
  { id: '0015-thresholds', up: limitTables },
  { id: '0016-configuration-outcomes', up: configurationOutcomes },
  { id: '0017-debug', up: debugIndex },
  { id: '0018-chemistries', up: chemistryTables },
  { id: '0019-damaged-files', up: 'alter table "firmwareFile" add column if not exists "damagedAt" timestamptz(3)' },
  { id: '0020-notice-choices', up: noticeChoices },
  { id: '0021-demo-fleet', up: demoFleetTable },
  { id: '0022-ess-model-name', up: essModelName },
  { id: '0023-automatic-updates', up: autoUpdateIndex },
  { id: '0024-cases', up: caseTables },
  { id: '0025-connection-times', up: connectionTimes },
  { id: '0026-lease-breaks', up: leaseBreaks },
  { id: '0027-rollout-states', up: rolloutStateIndex },
]
