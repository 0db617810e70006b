import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import type { Language } from '#schema/words.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { languageOf, problem } from '#server/base/problems.ts'
import { limits, takeAttempt } from '#server/base/rate-limits.ts'
import { eachInTurn } from '#server/db/jobs/each-in-turn.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { emailSchema } from './email-schema.ts'
import { createLink, linkLifeMs } from './link.ts'
import { momentText, nameOf, personByEmail } from './user-store.ts'

/** Requests for a new password that are answered and not yet looked up, of accounts that exist and of others. */
export const restoreRequestTable = `
create table "restoreRequest" (
  "id" text primary key,
  "email" text not null,
  "language" text not null,
  "ip" text not null,
  "requestId" text not null,
  "at" timestamptz(3) not null
);
`

type RestoreRequest = { id: string; email: string; language: Language; ip: string; requestId: string }

/** The process that has taken a request looks it up within this time. */
const ownMs = 2_000
const mostAtOnce = 100

const addRequest = (db: Queryable, { id, email, language, ip, requestId }: RestoreRequest, now: Date) =>
  sql`insert into "restoreRequest" ("id", "email", "language", "ip", "requestId", "at")
    values (${id}, ${email}, ${language}, ${ip}, ${requestId}, ${now})`.execute(db)

/** Removes the requests for an address that are not yet looked up. */
export const removeRequests = (db: Queryable, email: string) =>
  sql`delete from "restoreRequest" where "email" = ${email}`.execute(db)

/** Queues the mail with the link, if the account exists and was sent none a moment ago. */
async function mailLink(context: ServerContext, db: Queryable, { email, language, ip, requestId }: RestoreRequest) {
  const person = await personByEmail(db, email)
  if (!person?.isComplete || person.lockedAt || person.deletedAt) return
  const now = context.clock()
  const { waitS } = await takeAttempt(db, [limits.restoreAgain(email), limits.restoreTarget(email)], now)
  if (waitS > 0) return
  const { id, role } = person
  const expiresAt = new Date(now.getTime() + linkLifeMs.RESTORE)
  const token = await createLink(db, { kind: 'RESTORE', userId: id, now, expiresAt })
  const line = { at: now, actorId: id, role, requestId, ip }
  await addAudit(db, { ...line, action: 'restore-password', entityType: 'user', entityId: id, code: person.email })
  const values = { name: nameOf(person), until: momentText(expiresAt) }
  const mail = { to: person.email, language: person.language ?? language, template: 'restore-password', values, token } as const
  await mailerOf(context).add(db, mail)
}

/** Looks a request up; of processes that do so at once one finds it. */
async function answer(context: ServerContext, id: string): Promise<void> {
  await inTransaction(context.database, async (db) => {
    const request = await rowOf(db, sql<RestoreRequest>`delete from "restoreRequest" where "id" = ${id} returning *`)
    if (request) await mailLink(context, db, request)
  })
  mailerOf(context).work()
}

/** Looks up requests left behind by processes that ended right after their answer. Gives up after an hour of failures. */
export async function answerRestores(context: ServerContext): Promise<void> {
  const { kysely } = context.database
  const nowMs = context.clock().getTime()
  await sql`delete from "restoreRequest" where "at" < ${new Date(nowMs - linkLifeMs.RESTORE)}`.execute(kysely)
  const left = await rowsOf(
    kysely,
    sql<{
      id: string
    }>`select "id" from "restoreRequest" where "at" < ${new Date(nowMs - ownMs)} order by "at" limit ${mostAtOnce}`,
  )
  await eachInTurn(
    left,
    ({ id }) => `the request ${id} for a new password`,
    ({ id }) => answer(context, id),
  )
}

export function restoreRoute(api: Api, context: ServerContext): void {
  const underway = new Set<Promise<void>>()
  api.addHook('onClose', async () => {
    await Promise.all(underway)
    await mailerOf(context).idle()
  })
  api.post(
    '/user/restore-password',
    {
      config: { access: 'public' },
      schema: {
        summary: 'Ask for a link to choose a new password',
        tags: ['links'],
        body: z.strictObject({ email: emailSchema }),
        response: { 202: z.object({}) },
      },
    },
    async (request, reply) => {
      const { ip, id: requestId, log } = request
      const id = uuidv7()
      const { waitS } = await inTransaction(context.database, async (db) => {
        const now = context.clock()
        const taken = await takeAttempt(db, [limits.restoreAddress(ip)], now)
        const asked = { id, email: request.body.email, language: languageOf(request), ip, requestId }
        if (taken.waitS === 0) await addRequest(db, asked, now)
        return taken
      })
      if (waitS > 0) throw problem('too-many', { retryAfterS: waitS })
      // Answered before the account is looked up, so that neither response nor timing reveals it. The work follows after a
      // random delay: run at once, it would slow down the caller's next request.
      const task = sleep(randomInt(50, 400))
        .then(() => answer(context, id))
        .catch((error: unknown) => log.error(error, 'restore link not mailed'))
        .finally(() => underway.delete(task))
      underway.add(task)
      return reply.code(202).send({})
    },
  )
}
