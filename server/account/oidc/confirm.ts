import type { FastifyRequest } from 'fastify'
import { recordConfirmation } from '#server/account/session/record-confirmation.ts'
import type { Caller } from '#server/base/caller.ts'
import type { ServerContext } from '#server/base/context.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Claims } from './exchange.ts'
import { isLinkedWith } from './linked-account.ts'

/** Tolerated clock skew between the two servers. */
const skewMs = 60_000

type Confirming = { caller: Caller; claims: Claims; startedAt: string; ids: readonly number[] }
type ConfirmRefusal = 'oidc.other-account' | 'oidc.not-again'

/**
 * Marks a session as confirmed when its owner has signed in at the provider since the attempt began; else returns the refusal.
 */
export async function confirmBy(
  { database, clock }: Pick<ServerContext, 'database' | 'clock'>,
  request: FastifyRequest,
  { caller, claims, startedAt, ids }: Confirming,
): Promise<ConfirmRefusal | undefined> {
  const isAgain = claims.authTimeS !== undefined && claims.authTimeS * 1000 >= Date.parse(startedAt) - skewMs
  return inTransaction(database, async (db) => {
    const isOwner = await isLinkedWith(db, caller.userId, claims)
    const refusal = isOwner ? (isAgain ? undefined : 'oidc.not-again') : 'oidc.other-account'
    await recordConfirmation(db, request, { caller, ids, now: clock(), by: 'oidc', refusal })
    return refusal
  })
}
