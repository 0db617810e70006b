import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { dayMs, minuteMs } from '#schema/format/durations.ts'
import type { Mail } from '#server/base/mail.ts'
import type { SecretVault } from '#server/base/secret-vault.ts'
import { addEvents, type Change } from '#server/db/events/add-events.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { type GivenUp, recordLostMail, recordSentMail } from './undelivered.ts'

/** Unsent mails, as they were stored while links were kept in memory. */
export const mailTable = `
create table "mailJob" (
  "id" text primary key,
  "mail" jsonb not null,
  "secretOf" text,
  "attempts" int4 not null default 0,
  "dueAt" timestamptz(3) not null
);
create index "mailJob_dueAt_ix" on "mailJob" ("dueAt");
`

export const mailSeenAt = `
alter table "mailJob" add column "seenAt" timestamptz(3);
`

/** The token of a mail's link, sealed: a dump of the database opens nothing, and a start sends what an earlier one has left. */
export const mailTokens = `
alter table "mailJob" add column "token" text, drop column "secretOf", drop column "seenAt";
`

/** A mail that was given up stays without a time, until it is sent again or pruned with its record. */
export const givenUpMails = `
alter table "mailJob" alter column "dueAt" drop not null;
`

/** A mail without its token is one whose token no key of this process opens. */
export type MailJob = { id: string; mail: Mail; attempts: number }
type Stored = { id: string; mail: Omit<Mail, 'token'>; token: string | null; attempts: number }

/** Lease of a claimed mail; no attempt takes longer. */
const claimMs = 2 * minuteMs
/** A mail that is overdue for so long is sealed by a key that no running process has. */
const keyWaitMs = dayMs

type Writing = { id: string; mail: Omit<Mail, 'token'>; token: string | null; now: Date }

const write = (db: Queryable, { id, mail, token, now }: Writing) =>
  sql`insert into "mailJob" ("id", "mail", "token", "dueAt") values (${id}, ${JSON.stringify(mail)}, ${token}, ${now})`.execute(
    db,
  )

/** Queues a mail without a token. */
export async function addMail(db: Queryable, mail: Omit<Mail, 'token'>, now: Date): Promise<void> {
  await write(db, { id: uuidv7(), mail, token: null, now })
}

type Settled = { template: string; to: string; invitationId: string | null; attempts: number }

/** Changes a mail; undefined when it is there no more. */
const settled = (db: Queryable, change: RawBuilder<unknown>) =>
  rowOf(
    db,
    sql<Settled>`${change} returning "mail"->>'template' as "template", "mail"->>'to' as "to",
      "mail"->>'invitationId' as "invitationId", "attempts"`,
  )

/** Records the delivery of the invitation that a mail is for. */
async function recordDelivery(db: Queryable, mail: Settled, delivery: 'SENT' | 'FAILED', now: Date): Promise<Change[]> {
  const changed = await rowsOf(
    db,
    sql<{
      id: string
      version: number
    }>`update "invitation" set "delivery" = ${delivery}, "version" = "version" + 1, "updatedAt" = ${now}
      where "id" = ${mail.invitationId} and "delivery" is distinct from ${delivery} returning "id", "version"`,
  )
  return changed.map((row) => ({ resource: 'invitation', ...row, type: 'updated' }))
}

/** Transactional outbox of mails. Several processes may share the table. */
export class MailQueue {
  readonly #vault: SecretVault
  /** When this process first looked: those that have the key of another one's mails get the same time to start. */
  #sinceMs: number | undefined

  constructor(vault: SecretVault) {
    this.#vault = vault
  }

  async add(db: Queryable, { token, ...mail }: Mail, now: Date): Promise<void> {
    const id = uuidv7()
    await write(db, { id, mail, token: token === undefined ? null : this.#vault.seal(token, id), now })
  }

  /** Claims due mails. One that another key seals is left to the processes that have the key, for a day. */
  async take(db: Queryable, now: Date, limit: number): Promise<MailJob[]> {
    this.#sinceMs ??= now.getTime()
    const isLongUp = now.getTime() - this.#sinceMs >= keyWaitMs
    const overdue = isLongUp ? new Date(now.getTime() - keyWaitMs) : new Date(0)
    const taken = await rowsOf(
      db,
      sql<Stored>`update "mailJob" set "attempts" = "attempts" + 1, "dueAt" = ${new Date(now.getTime() + claimMs)}
        where "id" in (select "id" from "mailJob" where "dueAt" <= ${now} and ("token" is null
            or split_part("token", '.', 2) = any(${sql.val([...this.#vault.keyIds])}::text[]) or "dueAt" < ${overdue})
          order by "dueAt", "id" limit ${limit} for update skip locked)
        returning "id", "mail", "token", "attempts"`,
    )
    return taken.map(({ id, mail, token: sealed, attempts }) => {
      const token = sealed === null ? undefined : this.#vault.open(sealed, id)
      return { id, attempts, mail: token === undefined ? mail : { ...mail, token } }
    })
  }

  /** Removes a mail that has left and records that, in the caller's transaction: a kill after it repeats nothing. */
  async remove(db: Queryable, id: string, now: Date): Promise<void> {
    const mail = await settled(db, sql`delete from "mailJob" where "id" = ${id}`)
    if (!mail) return
    await addEvents(db, [...(await recordDelivery(db, mail, 'SENT', now)), ...(await recordSentMail(db, id, now))], now)
  }

  /** Puts off the next attempt, in the caller's transaction. */
  async delay(db: Queryable, id: string, { dueAt, now }: { dueAt: Date; now: Date }): Promise<void> {
    const mail = await settled(db, sql`update "mailJob" set "dueAt" = ${dueAt} where "id" = ${id}`)
    if (mail) await addEvents(db, await recordDelivery(db, mail, 'FAILED', now), now)
  }

  /** Keeps a mail, with its sealed token, for an admin who sends it again. Runs inside the caller's transaction. */
  async giveUp(db: Queryable, id: string, why: GivenUp): Promise<void> {
    const mail = await settled(db, sql`update "mailJob" set "dueAt" = null where "id" = ${id}`)
    if (!mail) return
    const changes = [
      ...(await recordDelivery(db, mail, 'FAILED', why.now)),
      ...(await recordLostMail(db, { id, ...mail, ...why })),
    ]
    await addEvents(db, changes, why.now)
  }
}
