import type { ClientBase } from 'pg'

/** A relation with systems, the kind of its invitations, and the only role that it is for. */
const relations = [
  { table: 'guest', kind: 'GUEST', role: 'client' },
  { table: 'service_engineer', kind: 'SERVICE_ENGINEER', role: 'service_engineer' },
] as const

const entries = `insert into "auditLog" ("id", "action", "entityType", "entityId", "code", "before", "after", "reason", "requestId", "ip")
  select gen_random_uuid()::text`

const endRelation = ({ table, kind, role }: (typeof relations)[number]) => `
with "ended" as (update "${table}" "r" set "state" = 'REVOKED', "version" = "r"."version" + 1, "updatedAt" = now(), "updatedBy" = null
  from "user" "u" where "u"."id" = "r"."userId" and "u"."role" <> '${role}' and "r"."state" in ('INVITED', 'ACTIVE')
  returning "r"."essId", "r"."userId")
${entries}, 'end-access', 'ess', "d"."essId", "e"."code", null, jsonb_build_object('userId', "d"."userId"), 'role-changed', '', ''
  from "ended" "d" left join "ess" "e" on "e"."id" = "d"."essId";
with "revoked" as (update "invitation" "i" set "state" = 'REVOKED', "completedAt" = now(), "version" = "i"."version" + 1, "updatedAt" = now(),
  "updatedBy" = null from "user" "u"
  where "u"."id" = "i"."userId" and "u"."role" <> '${role}' and "i"."kind" = '${kind}' and "i"."state" in ('PENDING', 'EXPIRED')
  returning "i"."id")
update "link" set "usedAt" = now() where "usedAt" is null and "invitationId" in (select "id" from "revoked");`

const leaveWorks = `
with "left" as (select "r"."id", "r"."code", "r"."installerId" from "ess" "r" join "user" "u" on "u"."id" = "r"."installerId"
    where "u"."role" <> 'installer' and "r"."lifecycle" in ('PLANNED', 'COMMISSIONING')),
  "changed" as (update "ess" set "installerId" = null, "version" = "version" + 1, "updatedAt" = now(), "updatedBy" = null
    where "id" in (select "id" from "left"))
${entries}, 'update', 'ess', "id", "code", jsonb_build_object('installerId', "installerId"), jsonb_build_object('installerId', null),
  'role-changed', '', '' from "left";`

/** A new database has its tables of records later than this; what an old one lacks of them, it has no rows of. */
const isThere = `select count(*) = 5 as "found" from information_schema.columns where table_schema = current_schema()
  and (table_name, column_name) in (('guest', 'state'), ('service_engineer', 'state'), ('invitation', 'userId'), ('user', 'role'),
    ('ess', 'installerId'))`

/**
 * Ends relations with systems that are for another role than their person has: releases before left them at a change of role, and with the
 * former role they would open the systems again. Who owns a system keeps it, and whoever installed one that is handed over.
 */
export async function endFormerRelations(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(isThere)
  if (!rows[0]?.found) return
  for (const relation of relations) await client.query(endRelation(relation))
  await client.query(leaveWorks)
}
