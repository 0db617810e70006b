/** Append-only: a trigger rejects updates and deletes. */
export const auditTable = `
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
