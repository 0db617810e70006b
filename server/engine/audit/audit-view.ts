/** The audit log as a resource: entries never change, so their version is 1 and their author is the actor. */
export const auditView = `
create view "audit_log" as
  select "id", 1::int4 as "version", "at" as "createdAt", "actorId" as "createdBy", "at" as "updatedAt", "actorId" as "updatedBy",
    "at", "actorId", "role", "action", "entityType", "entityId", "code", "before", "after", "reason", "result", "requestId", "ip"
  from "auditLog";
create index "auditLog_list_ix" on "auditLog" ("at" desc nulls last, "id" desc);
create index "auditLog_search_ix" on "auditLog" using gin ((coalesce("code", '')) gin_trgm_ops);
`
