import { z } from 'zod'
import { accountProblem } from '#server/account/problems.ts'
import { takeLoginAttempt } from '#server/account/session/login-attempt.ts'
import { recordConfirmation } from '#server/account/session/record-confirmation.ts'
import { type Caller, callerOf } from '#server/base/caller.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { limits } from '#server/base/rate-limits.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type Ceremony, challengeIn, takeCeremony } from './ceremony.ts'
import { assertionSchema, optionsSchema } from './passkey-schema.ts'
import { knownParty } from './relying-party.ts'
import { provePasskey, requestOptions } from './webauthn.ts'

const confirmedIn = ({ sessionId }: Caller): Ceremony => ({ purpose: 'confirm', bound: sessionId })

/** Step-up authentication by one of the own passkeys. */
export function confirmByPasskey(api: Api, context: ServerContext): void {
  const { database, clock, config } = context
  const settings = { access: 'user', audit: { action: 'confirm', entityType: 'session' } } as const
  const begin = {
    summary: 'Begin to confirm the own identity by a passkey: options for the browser',
    tags: ['session'],
    response: { 200: optionsSchema },
  }
  api.post('/auth/confirm/passkey', { config: settings, schema: begin }, async (request) => {
    const caller = callerOf(request)
    const begun = { rp: knownParty(config), ceremony: confirmedIn(caller), now: clock() }
    return { ...(await inTransaction(database, (db) => requestOptions(db, begun, caller.userId))) }
  })
  const schema = {
    summary: 'Confirm the own identity by a passkey',
    tags: ['session'],
    body: z.strictObject({ response: assertionSchema }),
    response: { 200: z.object({ confirmedAt: z.string() }) },
  }
  api.put('/auth/confirm/passkey', { config: settings, schema }, async (request) => {
    const rp = knownParty(config)
    const caller = callerOf(request)
    const { userId } = caller
    const { response } = request.body
    const challenge = challengeIn(response.response.clientDataJSON)
    const ids = await takeLoginAttempt(context, limits.ownPassword(userId))
    const now = clock()
    // Used up in its own transaction, so that a refused response cannot be retried.
    await inTransaction(database, (db) => takeCeremony(db, confirmedIn(caller), { challenge, now }))
    const refusal = await inTransaction(database, async (db) => {
      const refused = await provePasskey(db, { userId, now, rp, challenge, response, log: request.log })
      await recordConfirmation(db, request, { caller, ids, now, by: 'passkey', refusal: refused })
      return refused
    })
    if (refusal) throw accountProblem('passkey.refused')
    return { confirmedAt: now.toISOString() }
  })
}
