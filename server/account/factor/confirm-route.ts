import { z } from 'zod'
import type { ServerReason } from '#schema/server-reasons.ts'
import { oidcProblem } from '#server/account/oidc/oidc-problems.ts'
import { isProviderOnly, oidcOf } from '#server/account/oidc/oidc-settings.ts'
import { accountProblem } from '#server/account/problems.ts'
import { inputLabel } from '#server/account/session/input-label.ts'
import { takeLoginAttempt } from '#server/account/session/login-attempt.ts'
import { passwordsOf } from '#server/account/session/password.ts'
import { recordConfirmation } from '#server/account/session/record-confirmation.ts'
import { personById } from '#server/account/user-store.ts'
import { type Caller, callerOf } from '#server/base/caller.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { invalid, problem } from '#server/base/problems.ts'
import { limits } from '#server/base/rate-limits.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { factorsOf, hasFactor, proveFactor } from './factor-store.ts'

export const waysToConfirm = ['factor', 'password', 'provider'] as const
type ConfirmedBy = (typeof waysToConfirm)[number]
type Given = { password?: string | undefined; code?: string | undefined }

const missing = (path: 'password' | 'code') => invalid([{ path, code: 'required' }])

/** Step-up authentication: by a second factor if there is one, else by the password, else by a new sign-in at the provider. */
export async function confirmedBy(
  { database, config }: Pick<ServerContext, 'database' | 'config'>,
  { userId, role }: Pick<Caller, 'userId' | 'role'>,
): Promise<ConfirmedBy> {
  if (hasFactor(await factorsOf(database.kysely, userId))) return 'factor'
  const person = await personById(database.kysely, userId)
  const hasPassword = !!person?.passwordHash && !isProviderOnly(config, role)
  return hasPassword || !oidcOf(config) ? 'password' : 'provider'
}

async function prove(context: ServerContext, caller: Caller, { password, code }: Given): Promise<ServerReason | undefined> {
  const { database, clock, config } = context
  const { userId } = caller
  const by = await confirmedBy(context, caller)
  if (by === 'provider') throw oidcProblem('oidc.by-provider')
  if (by === 'factor') {
    if (code === undefined) throw missing('code')
    const factor = await inTransaction(database, (db) => proveFactor(db, { userId, code, now: clock(), config }))
    return factor ? undefined : 'wrong-code'
  }
  if (password === undefined) throw missing('password')
  const person = await personById(database.kysely, userId)
  return (await passwordsOf(context).verify(person?.passwordHash, password)) ? undefined : 'wrong-password'
}

const refusals = {
  'wrong-code': () => accountProblem('wrong-code'),
  'wrong-password': () => problem('wrong-password', { faults: [{ path: 'password', code: 'rule' }] }),
} as const

/** Step-up authentication of a session's owner, for calls that require a fresh confirmation. */
export function confirmRoute(api: Api, context: ServerContext): void {
  const { database, clock } = context
  api.post(
    '/auth/confirm',
    {
      config: { access: 'user', audit: { action: 'confirm', entityType: 'session' }, inputLabel },
      schema: {
        summary: 'Confirm the own identity by the second factor, or by the password where there is none',
        tags: ['session'],
        body: z.strictObject({ password: z.string().min(1).max(128).optional(), code: z.string().min(1).max(40).optional() }),
        response: { 200: z.object({ confirmedAt: z.string() }) },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      // Counted per user: failed sign-ins of strangers do not use up these attempts.
      const ids = await takeLoginAttempt(context, limits.ownPassword(caller.userId))
      const refusal = await prove(context, caller, request.body)
      const now = clock()
      await inTransaction(database, (db) => recordConfirmation(db, request, { caller, ids, now, refusal }))
      if (refusal === 'wrong-code' || refusal === 'wrong-password') throw refusals[refusal]()
      return { confirmedAt: now.toISOString() }
    },
  )
}
