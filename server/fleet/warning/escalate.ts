import { type RawBuilder, sql } from 'kysely'
import { noticeKinds } from '#resources/fleet/notice-kinds.ts'
import type { Severity } from '#resources/fleet/warnings/levels.ts'
import type { Role } from '#schema/roles.ts'
import type { ServerReason } from '#schema/server-reasons.ts'
import { composed, filled, type Label, say } from '#schema/words.ts'
import { isReachable, type Recipient, recipientColumns, tellRecipient } from '#server/account/recipients/recipients.ts'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addServerAudit } from '#server/engine/audit/audit-entry.ts'
import { isActiveAssignment } from '#server/fleet/shared/assignment-sql.ts'
import { type Shown, staffBody, staffTitle } from './notice-texts.ts'
import { addWarningWebhooks } from './warning-webhooks.ts'

type Waiting = Shown & { id: string; severity: Severity; essId: string | null; role: Role; afterMin: number }
type Recovered = Shown & Recipient & { warningId: string }

const reason: ServerReason = 'not-acknowledged'
/** Escalations, and messages of their end, per transaction. */
const atOnce = 50

const shown = sql`"w"."code", "w"."value", "w"."unit", "w"."subject", "e"."code" as "ess", "b"."code" as "board"`
const places = sql`left join "ess" "e" on "e"."id" = "w"."essId" left join "control_pcb" "b" on "b"."id" = "w"."controlPcbId"`

/** Active users of a group; service engineers only when assigned to the warning's site. */
const isInGroup = (role: RawBuilder<unknown>, essId: RawBuilder<unknown>) => sql`"u"."role" = ${role} and ${isReachable}
  and (${role} <> 'service_engineer' or exists (select 1 from "service_engineer" "r" where ${isActiveAssignment(sql`"u"."id"`, essId)}))`

/** The user "u" has kept a role and a site that escalations of the warning "w" come to. */
const mayBeTold = sql`"u"."role" = any(${sql.val(noticeKinds.escalation)}::text[]) and ${isInGroup(sql`"u"."role"`, sql`"w"."essId"`)}`

/**
 * Warnings unacknowledged for longer than their severity allows and not escalated since. Those without a recipient wait and
 * must not starve the others.
 */
const waitingOnes = (db: Queryable, now: Date): Promise<Waiting[]> =>
  rowsOf(
    db,
    sql<Waiting>`select "w"."id", "w"."severity", "w"."essId", "s"."role", "s"."afterMin", ${shown}
      from "telemetry_warning" "w" join "escalation" "s" on "s"."severity" = "w"."severity" ${places}
      where "w"."active" and not "w"."acknowledged" and not "w"."suppressed"
        and ("w"."snoozedUntil" is null or "w"."snoozedUntil" <= ${now})
        and coalesce("w"."waitsSince", "w"."raisedAt") <= ${now}::timestamptz - make_interval(mins => "s"."afterMin"::int)
        and not exists (select 1 from "warningEscalation" "x" where "x"."warningId" = "w"."id"
          and "x"."at" >= coalesce("w"."waitsSince", "w"."raisedAt"))
        and exists (select 1 from "user" "u" where ${isInGroup(sql`"s"."role"`, sql`"w"."essId"::text`)})
      order by "w"."raisedAt" limit ${atOnce} for update of "w" skip locked`,
  )

/** The notified groups, by warning. */
async function groupsOf(db: Queryable, waiting: readonly Waiting[]): Promise<ReadonlyMap<string, Recipient[]>> {
  const column = (read: (warning: Waiting) => string | null) => sql`${sql.val(waiting.map(read))}::text[]`
  const rows = await rowsOf(
    db,
    sql<Recipient & { warningId: string }>`select "x"."warningId", ${recipientColumns}
      from unnest(${column(({ id }) => id)}, ${column(({ role }) => role)}, ${column(({ essId }) => essId)}) as "x" ("warningId", "role", "essId")
      join "user" "u" on ${isInGroup(sql`"x"."role"`, sql`"x"."essId"`)} order by 1, "u"."id"`,
  )
  const groups = new Map<string, Recipient[]>()
  for (const { warningId, ...one } of rows) groups.set(warningId, [...(groups.get(warningId) ?? []), one])
  return groups
}

type Message = { title: Label; body: Label; warningId: string; now: Date }

/** An escalation reaches everyone who has not disabled the channel, regardless of the chosen severity. */
const send = (db: Queryable, recipient: Recipient, { title, body, warningId, now }: Message): Promise<void> =>
  tellRecipient(db, recipient, {
    ...{ title, body, tone: 'bad', link: `/telemetry-warning/${warningId}`, now },
    template: 'escalation',
    values: { subject: title, text: body },
  })

const titled = (before: Label, code: string): Label =>
  composed((language) => `${say(before, language)}: ${say(staffTitle(code), language)}`)

/** The recipients of each escalation, who are notified of its end as well. */
async function keepTold(db: Queryable, groups: ReadonlyMap<string, readonly Recipient[]>, now: Date): Promise<void> {
  const pairs = [...groups].flatMap(([warningId, people]) => people.map(({ id }) => ({ warningId, userId: id })))
  await sql`insert into "warningEscalation" ("warningId", "userId", "at")
    select "x".*, ${now}::timestamptz from unnest(${sql.val(pairs.map(({ warningId }) => warningId))}::text[],
      ${sql.val(pairs.map(({ userId }) => userId))}::text[]) as "x"
    on conflict ("warningId", "userId") do update set "at" = excluded."at", "recoveredAt" = null`.execute(db)
}

async function escalate(
  db: Queryable,
  warning: Waiting,
  { people, now }: { people: readonly Recipient[]; now: Date },
): Promise<void> {
  const { id, code, afterMin } = warning
  const late = filled(['Not acknowledged for {min} min', 'Не подтверждено {min} мин'], { min: afterMin })
  for (const one of people) await send(db, one, { title: titled(late, code), body: staffBody(warning), warningId: id, now })
  const more = { escalation: { afterMin, role: warning.role } }
  await addWarningWebhooks(db, { type: 'warning.escalated', ids: [id], now, more })
  const entry = { action: 'escalate', entityType: 'telemetry-warning', entityId: id, code, reason }
  await addServerAudit(db, { ...entry, at: now, after: { user: people.length } })
}

const over: Label = ['Over', 'Прошло']

/** Recovery messages to the recipients of escalations, up to a batch. Returns the number of entries that are done. */
async function notifyRecovered(db: Queryable, now: Date): Promise<number> {
  const done = await rowsOf(
    db,
    sql<{ warningId: string; userId: string }>`with "over" as (
        select "x"."warningId", "x"."userId" from "warningEscalation" "x" join "telemetry_warning" "w" on "w"."id" = "x"."warningId"
          where "x"."recoveredAt" is null and not "w"."active" order by "x"."warningId", "x"."userId"
          limit ${atOnce} for update of "x" skip locked)
      update "warningEscalation" "x" set "recoveredAt" = ${now} from "over" "o"
        where "x"."warningId" = "o"."warningId" and "x"."userId" = "o"."userId" returning "x"."warningId", "x"."userId"`,
  )
  const column = (name: 'warningId' | 'userId') => sql`${sql.val(done.map((one) => one[name]))}::text[]`
  const ended = await rowsOf(
    db,
    sql<Recovered>`select "d"."warningId", ${recipientColumns}, ${shown}
      from unnest(${column('warningId')}, ${column('userId')}) as "d" ("warningId", "userId")
        join "telemetry_warning" "w" on "w"."id" = "d"."warningId"
        join "user" "u" on "u"."id" = "d"."userId" and ${mayBeTold} ${places} order by "d"."warningId", "u"."id"`,
  )
  for (const one of ended)
    await send(db, one, { title: titled(over, one.code), body: staffBody(one), warningId: one.warningId, now })
  return done.length
}

/**
 * Escalates warnings that are not acknowledged in time to the next group, once per occurrence, and notifies the same users of
 * their end.
 */
export async function escalateWarnings(database: Database, now: Date): Promise<void> {
  await inTransaction(database, async (db) => {
    const waiting = await waitingOnes(db, now)
    if (waiting.length === 0) return
    const groups = await groupsOf(db, waiting)
    await keepTold(db, groups, now)
    for (const warning of waiting) await escalate(db, warning, { people: groups.get(warning.id) ?? [], now })
  })
  while ((await inTransaction(database, (db) => notifyRecovered(db, now))) === atOnce);
}
