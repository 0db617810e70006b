import type { FastifyRequest } from 'fastify'
import type { ServerContext } from '#server/base/context.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { type Failing, manyFailures } from './sign-in.ts'

/** Notifies an account's owner of guessing attempts. Not awaited: the response time would reveal that the account exists. */
export function notifyOwner(context: ServerContext, { email, firstName, language }: Failing, request: FastifyRequest): void {
  const mail = { to: email, language: language ?? 'en', values: { name: firstName, count: String(manyFailures) } } as const
  mailerOf(context)
    .add(context.database.kysely, { ...mail, template: 'many-failures' })
    .catch((error: unknown) => request.log.error(error, 'the owner is not told of failed sign-ins'))
}
