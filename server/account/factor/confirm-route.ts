import { z } from 'zod'
import type { ServerReason } from '#schema/server-reasons.ts'
import { oidcProblem } from '#server/account/oidc/oidc-problems.ts'
import { isProviderOnly, oidcOf } from '#server/account/oidc/oidc-settings.ts'
import { accountProblem } from '#server/account/problems.ts'
import { passwordsOf } from '#server/account/session/password.ts'
import { personById } from '#server/account/user-store.ts'
import { type Caller, callerOf } from '#server/base/caller.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { invalid, problem } from '#server/base/problems.ts'
import { forgetAttempts, limits, takeAttempt } from '#server/base/rate-limits.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import { markFresh } from '#server/engine/records/fresh-confirmation.ts'
import { factorsOf, hasFactor, proveFactor } from './factor-store.ts'

export const waysToConfirm = ['factor', 'password', 'provider'] as const
type ConfirmedBy = (typeof waysToConfirm)[number]
type Given = { password?: string | undefined; code?: string | undefined }

const missing = (path: 'password' | 'code') => invalid([{ path, code: 'required' }])

/** A second factor confirms where there is one, else the password, else a new sign-in at the provider. */
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

/** Confirms the owner of a session, for calls that ask for a fresh confirmation. */
export function confirmRoute(api: Api, context: ServerContext): void {
  const { database, clock } = context
  api.post(
    '/auth/confirm',
    {
      config: { access: 'user', audit: { action: 'confirm', entityType: 'session' } },
      schema: {
        summary: 'Confirm the own identity by the second factor, or by the password where there is none',
        tags: ['session'],
        body: z.strictObject({ password: z.string().min(1).max(128).optional(), code: z.string().min(1).max(40).optional() }),
        response: { 200: z.object({ confirmedAt: z.string() }) },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const { userId, sessionId, role } = caller
      // A session has a count of its own: strangers who fail to sign in do not touch it.
      const { waitS, ids } = await inTransaction(database, (db) => takeAttempt(db, [limits.ownPassword(userId)], clock()))
      if (waitS > 0) throw problem('too-many-logins', { retryAfterS: waitS })
      const reason = await prove(context, caller, request.body)
      const now = clock()
      const line = { at: now, actorId: userId, role, action: 'confirm', entityType: 'session', entityId: sessionId } as const
      await inTransaction(database, async (db) => {
        const result = reason ? 'FAILED' : 'OK'
        await addAudit(db, { ...line, result, ...(reason && { reason }), requestId: request.id, ip: request.ip })
        if (reason) return
        await forgetAttempts(db, ids)
        await markFresh(db, caller, now)
      })
      if (reason === 'wrong-code' || reason === 'wrong-password') throw refusals[reason]()
      return { confirmedAt: now.toISOString() }
    },
  )
}
