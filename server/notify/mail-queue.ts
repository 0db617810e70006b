import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { dayMs, minuteMs } from '#schema/format/durations.ts'
import type { Mail } from '#server/base/mail.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'

/**
 * Unsent mails. A link's token is not stored, so a dump of the database opens nothing: the process that took the mail keeps it
 * in memory, and `secretOf` names that process.
 */
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

/** A process that has the tokens of waiting mails says so from time to time. */
export const mailSeenAt = `
alter table "mailJob" add column "seenAt" timestamptz(3);
`

export type MailJob = { id: string; mail: Mail; attempts: number }
type Stored = { id: string; mail: Omit<Mail, 'token'>; attempts: number }

/** Lease of a claimed mail; no attempt takes longer. */
const claimMs = 2 * minuteMs
/** A live process marks its due mails that wait their turn this often. */
const seenMs = minuteMs
/** A due mail that was not marked for so long has lost its process. */
const orphanMs = 10 * minuteMs

/** True for mails that were neither due nor marked in the last milliseconds. */
const isUnseenFor = (ms: number, now: Date) => sql`greatest("seenAt", "dueAt") < ${new Date(now.getTime() - ms)}`

type Writing = { id: string; mail: Omit<Mail, 'token'>; secretOf: string | null; now: Date }

const write = (db: Queryable, { id, mail, secretOf, now }: Writing) =>
  sql`insert into "mailJob" ("id", "mail", "secretOf", "dueAt") values (${id}, ${JSON.stringify(mail)}, ${secretOf}, ${now})`.execute(
    db,
  )

/** Queues a mail without a token, which any process may send. */
export async function addMail(db: Queryable, mail: Omit<Mail, 'token'>, now: Date): Promise<void> {
  await write(db, { id: uuidv7(), mail, secretOf: null, now })
}

/** Transactional outbox of mails. Several processes may share the table. */
export class MailQueue {
  readonly #process = uuidv7()
  readonly #secrets = new Map<string, { token: string; at: number }>()

  async add(db: Queryable, { token, ...mail }: Mail, now: Date): Promise<void> {
    const id = uuidv7()
    if (token !== undefined) this.#secrets.set(id, { token, at: now.getTime() })
    await write(db, { id, mail, secretOf: token === undefined ? null : this.#process, now })
  }

  /** Claims due mails. Those of other processes are claimed once overdue, unless only their process has the token. */
  async take(db: Queryable, now: Date, limit: number): Promise<MailJob[]> {
    for (const [id, { at }] of this.#secrets) if (at < now.getTime() - dayMs) this.#secrets.delete(id)
    await this.#markOwn(db, now)
    const taken = await rowsOf(
      db,
      sql<Stored>`update "mailJob" set "attempts" = "attempts" + 1, "dueAt" = ${new Date(now.getTime() + claimMs)}
        where "id" in (select "id" from "mailJob" where "dueAt" <= ${now} and ("secretOf" is null or "secretOf" = ${this.#process})
          order by "dueAt", "id" limit ${limit} for update skip locked)
        returning "id", "mail", "attempts"`,
    )
    return taken.map(({ id, mail, attempts }) => {
      const secret = this.#secrets.get(id)
      return { id, attempts, mail: secret ? { ...mail, token: secret.token } : mail }
    })
  }

  /** Tells other processes that the tokens of this one's waiting mails are not lost. */
  async #markOwn(db: Queryable, now: Date): Promise<void> {
    await sql`update "mailJob" set "seenAt" = ${now} where "secretOf" = ${this.#process} and ${isUnseenFor(seenMs, now)}`.execute(
      db,
    )
  }

  /** Deletes mails whose token was lost with its process, and returns the invitations they were for. */
  async dropOrphans(db: Queryable, now: Date): Promise<string[]> {
    const gone = await rowsOf(
      db,
      sql<{ invitationId: string | null }>`delete from "mailJob" where "secretOf" <> ${this.#process}
        and ${isUnseenFor(orphanMs, now)} returning "mail"->>'invitationId' as "invitationId"`,
    )
    return gone.flatMap(({ invitationId }) => invitationId ?? [])
  }

  async remove(db: Queryable, id: string): Promise<void> {
    this.#secrets.delete(id)
    await sql`delete from "mailJob" where "id" = ${id}`.execute(db)
  }

  async delay(db: Queryable, id: string, dueAt: Date): Promise<void> {
    await sql`update "mailJob" set "dueAt" = ${dueAt} where "id" = ${id}`.execute(db)
  }
}
