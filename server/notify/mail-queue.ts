import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { dayMs, minuteMs } from '#schema/format/durations.ts'
import type { Mail } from '#server/base/mail.ts'
import type { SecretVault } from '#server/base/secret-vault.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'

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

type Delivery = 'SENT' | 'FAILED'

/** Changes mails and records the delivery of the invitations that they are for. */
const record = (db: Queryable, delivery: Delivery, change: RawBuilder<unknown>) =>
  sql`with "changed" as (${change} returning "mail"->>'invitationId' as "invitationId")
    update "invitation" set "delivery" = ${delivery} where "id" in (select "invitationId" from "changed")`.execute(db)

/** Transactional outbox of mails. Several processes may share the table. */
export class MailQueue {
  readonly #vault: SecretVault

  constructor(vault: SecretVault) {
    this.#vault = vault
  }

  async add(db: Queryable, { token, ...mail }: Mail, now: Date): Promise<void> {
    const id = uuidv7()
    await write(db, { id, mail, token: token === undefined ? null : this.#vault.seal(token, id), now })
  }

  /** Claims due mails. One that another key seals is left to the processes that have the key, for a day. */
  async take(db: Queryable, now: Date, limit: number): Promise<MailJob[]> {
    const overdue = new Date(now.getTime() - keyWaitMs)
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

  /** Removes a mail that is over and records its delivery, in one statement: a kill after it repeats nothing. */
  async remove(db: Queryable, id: string, delivery: Delivery): Promise<void> {
    await record(db, delivery, sql`delete from "mailJob" where "id" = ${id}`)
  }

  async delay(db: Queryable, id: string, dueAt: Date): Promise<void> {
    await record(db, 'FAILED', sql`update "mailJob" set "dueAt" = ${dueAt} where "id" = ${id}`)
  }
}
