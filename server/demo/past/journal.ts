import { type RawBuilder, sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import type { Queryable } from '#server/db/query.ts'

const days = 90

type Kind = {
  action: string
  entityType: string
  /** Rows "r" of a table with the moment, the person and the values of the entry. */
  table: string
  at?: string
  by?: string
  code?: string
  reason?: string
  before?: string
  after?: string
  where?: string
  id?: string
}

/** Entries that the records of the fleet imply: each has its person and its moment in a row. */
const kinds: readonly Kind[] = [
  {
    action: 'acknowledge',
    entityType: 'telemetry-warning',
    table: 'telemetry_warning',
    at: 'acknowledgedAt',
    by: 'acknowledgedBy',
    code: `"r"."code"`,
    before: `'{"acknowledged": false}'::jsonb`,
    after: `jsonb_strip_nulls(jsonb_build_object('acknowledged', true, 'ackNote', "r"."ackNote"))`,
  },
  {
    action: 'create',
    entityType: 'firmware-update',
    table: 'firmware_update',
    code: `"r"."toVersion"`,
    after: `jsonb_build_object('controlPcbId', "r"."controlPcbId", 'toVersion', "r"."toVersion")`,
    where: `"r"."retryOfId" is null and "r"."rolloutId" is null`,
  },
  { action: 'create', entityType: 'rollout', table: 'rollout', code: `"r"."name"` },
  { action: 'start', entityType: 'rollout', table: 'rollout', at: 'startedAt', code: `"r"."name"` },
  { action: 'create', entityType: 'firmware', table: 'firmware', code: `"r"."firmwareVersion"` },
  {
    action: 'create',
    entityType: 'guest',
    table: 'guest',
    code: `(select "e"."code" from "ess" "e" where "e"."id" = "r"."essId")`,
  },
  {
    action: 'create',
    entityType: 'service-engineer',
    table: 'service_engineer',
    code: `(select "e"."code" from "ess" "e" where "e"."id" = "r"."essId")`,
  },
  {
    action: 'invite',
    entityType: 'invitation',
    table: 'invitation',
    at: 'sentAt',
    by: 'invitedBy',
    code: `"r"."email"`,
  },
  {
    action: 'lock',
    entityType: 'user',
    table: 'user',
    at: 'lockedAt',
    by: '',
    code: `"r"."email"`,
    reason: `"r"."lockedReason"`,
  },
  { action: 'delete', entityType: 'user', table: 'user', at: 'deletedAt', by: '', code: `"r"."email"` },
  {
    action: 'configure',
    entityType: 'control-pcb',
    table: 'configuration',
    at: 'requestedAt',
    by: '',
    id: `"r"."controlPcbId"`,
    code: `(select "b"."code" from "control_pcb" "b" where "b"."id" = "r"."controlPcbId")`,
    reason: `"r"."reason"`,
    after: `jsonb_build_object('backupReservePct', "r"."desired"->'backupReservePct')`,
    where: `"r"."version" > 1`,
  },
]

function entriesOf(kind: Kind, since: Date, admin: string): RawBuilder<unknown> {
  const { action, entityType, table, at = 'createdAt', by = 'createdBy', code, reason, before, after, where, id } = kind
  const person = by === '' ? sql`${admin}::text` : sql`coalesce("r".${sql.id(by)}, ${admin}::text)`
  const value = (text: string | undefined, type: string) => (text ? sql.raw(text) : sql.raw(`null::${type}`))
  return sql`insert into "auditLog" ("id", "at", "actorId", "role", "action", "entityType", "entityId", "code", "before", "after",
      "reason", "result", "requestId", "ip")
    select gen_random_uuid()::text, "r".${sql.id(at)}, "u"."id", "u"."role", ${action}, ${entityType}, ${id ? sql.raw(id) : sql`"r"."id"`},
      ${value(code, 'text')}, ${value(before, 'jsonb')}, ${value(after, 'jsonb')}, ${value(reason, 'text')}, 'OK', '', ''
    from ${sql.table(table)} "r" join "user" "u" on "u"."id" = ${person}
    where "r".${sql.id(at)} > ${since} and ${where ? sql.raw(where) : sql`true`}`
}

/** Staff sign in on four days of five, in the hours of work. */
const signIns = (since: Date, now: Date) => sql`
  insert into "auditLog" ("id", "at", "actorId", "role", "action", "entityType", "entityId", "code", "result", "requestId", "ip")
    select gen_random_uuid()::text, "d"."day" + make_interval(mins => 360 + abs(hashtext("u"."id" || "d"."day"::text)) % 500), "u"."id",
      "u"."role", 'login', 'session', "u"."id", "u"."email", 'OK', '', '10.20.0.' || (2 + abs(hashtext("u"."id")) % 200)
    from "user" "u" cross join generate_series(date_trunc('day', ${since}::timestamptz), ${now}::timestamptz - interval '1 day', interval '1 day')
      as "d" ("day")
    where "u"."role" in ('admin', 'moderator', 'service_engineer') and abs(hashtext("u"."id" || "d"."day"::text || 'in')) % 5 < 4
      and extract(isodow from "d"."day") < 6`

/** The audit log of a fleet that a first start makes: no other server gets entries of what did not happen on it. */
export async function writeJournal(db: Queryable, { admin, now }: { admin: string; now: Date }): Promise<void> {
  const since = new Date(now.getTime() - days * dayMs)
  for (const kind of kinds) await entriesOf(kind, since, admin).execute(db)
  await signIns(since, now).execute(db)
}
