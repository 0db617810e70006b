import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { valueSchema } from '#schema/value-schema.ts'
import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import { languageOf, problem } from '#server/base/problems.ts'
import { limits, takeAttempt } from '#server/base/rate-limits.ts'
import { rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { emailSchema } from './email-schema.ts'

/** 5,000 characters of up to four bytes each. */
const mostBytes = 24 * 1024

const line = (maxLength: number) => valueSchema({ type: 'text', label: ['', ''], maxLength }).transform(String)
const body = z.strictObject({
  name: line(128),
  email: emailSchema,
  topic: line(128),
  message: valueSchema({ type: 'longText', label: ['', ''], maxLength: 5000 }).transform(String),
})

// No vowels and no ambiguous digits: a ticket number is read out by phone and must not spell a word.
const alphabet = '23456789BCDFGHJKMNPQRSTVWXZ'
const newTicket = (now: Date) =>
  `S${now.toISOString().slice(2, 10).replaceAll('-', '')}-${Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')}`

/** The support address, or all admins when none is configured. */
async function receivers({ config, database }: ServerContext): Promise<string[]> {
  if (config.supportEmail) return [config.supportEmail]
  const admins = await rowsOf(
    database.kysely,
    sql<{ email: string }>`select "email" from "user"
      where "role" = 'admin' and "lockedAt" is null and "deletedAt" is null order by "createdAt" limit 5`,
  )
  return admins.map(({ email }) => email)
}

function supportRoute(api: Api, context: ServerContext): void {
  const { database, clock } = context
  api.post(
    '/support',
    {
      config: { access: 'public' },
      bodyLimit: mostBytes,
      schema: { summary: 'Write to the support', tags: ['support'], body, response: { 202: z.object({ ticket: z.string() }) } },
    },
    async (request, reply) => {
      const { waitS } = await inTransaction(database, (db) => takeAttempt(db, [limits.support(request.ip)], clock()))
      if (waitS > 0) throw problem('too-many', { retryAfterS: waitS })
      const { name, email, topic, message } = request.body
      const ticket = newTicket(clock())
      const mailer = mailerOf(context)
      const to = await receivers(context)
      const values = { ticket, topic, sender: name, email, message }
      const mail = { language: languageOf(request), template: 'support', values, replyTo: email } as const
      await inTransaction(database, async (db) => {
        for (const each of to) await mailer.add(db, { ...mail, to: each })
      })
      mailer.work()
      return reply.code(202).send({ ticket })
    },
  )
}

export const supportPart: ServerPart = { name: 'support', register: supportRoute }
