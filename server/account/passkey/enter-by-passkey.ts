import type { FastifyBaseLogger } from 'fastify'
import type { ServerReason } from '#schema/server-reasons.ts'
import type { SessionToken } from '#schema/wire/wire.ts'
import { oidcProblem } from '#server/account/oidc/oidc-problems.ts'
import { isProviderOnly } from '#server/account/oidc/oidc-settings.ts'
import { accountProblem } from '#server/account/problems.ts'
import {
  barredBy,
  completeSignIn,
  lineOf,
  type Person,
  personOf,
  rereadPerson,
  type SignInContext,
  type SigningIn,
} from '#server/account/session/complete-sign-in.ts'
import { takeLoginAttempt } from '#server/account/session/login-attempt.ts'
import { addFailedProof, type Failing, manyFailures } from '#server/account/session/sign-in.ts'
import { problem } from '#server/base/problems.ts'
import { forgetAttempts, limits } from '#server/base/rate-limits.ts'
import type { Queryable } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import { challengeIn, takeCeremony } from './ceremony.ts'
import type { Assertion } from './passkey-schema.ts'
import { ownerOf } from './passkey-store.ts'
import type { RelyingParty } from './relying-party.ts'
import { type PasskeyRefusal, provePasskey } from './webauthn.ts'

type Entering = SigningIn & {
  rp: RelyingParty
  /** Secret of the tab that started. */
  browser: string
  response: Assertion
  log: FastifyBaseLogger
  onManyFailures: (person: Failing) => void
}

/**
 * The passkey's owner, locked until the end of the transaction. A response without a user handle is not from a discoverable
 * passkey.
 */
async function ownerIn(db: Queryable, { response }: Entering): Promise<Person | undefined> {
  const userId = response.response.userHandle && (await ownerOf(db, response.id))
  const person = userId ? await personOf(db, userId) : undefined
  return person && rereadPerson(db, { ...person, changedAt: null })
}

type Failed = { failures: number; person: Person | undefined }

async function recordFailure(
  db: Queryable,
  { person, asked, now, reason }: { person: Person | undefined; asked: Entering; now: Date; reason: PasskeyRefusal },
): Promise<Failed> {
  if (person) return { failures: await addFailedProof(db, { email: person.email, person, asked, now, reason }), person }
  await addAudit(db, { ...lineOf(undefined, asked), at: now, action: 'login', result: 'FAILED', reason })
  return { failures: 0, person }
}

const denials = {
  'user.deleted': () => problem('user.deleted'),
  'user.locked': () => problem('user.locked'),
  'oidc.only': () => oidcProblem('oidc.only'),
} as const satisfies Partial<Record<ServerReason, () => Error>>

/** Reason to deny a user with a valid passkey. */
function denialOf({ config }: SignInContext, person: Person): keyof typeof denials | undefined {
  return barredBy(person) ?? (isProviderOnly(config, person.role) ? 'oidc.only' : undefined)
}

/**
 * Signs in by a passkey alone. It counts as both factors: possession of the device and its user verification (finger, face or
 * PIN). Unknown passkeys and invalid responses get the same answer.
 */
export async function enterByPasskey(context: SignInContext, asked: Entering): Promise<SessionToken> {
  const { database, clock } = context
  const { rp, browser, response, log } = asked
  const ids = await takeLoginAttempt(context, limits.address(asked.ip))
  const challenge = challengeIn(response.response.clientDataJSON)
  const ceremony = { purpose: 'sign-in', bound: browser } as const
  // Used up in its own transaction, so that a refused response cannot be retried.
  await inTransaction(database, (db) => takeCeremony(db, ceremony, { challenge, now: clock() }))

  const outcome = await inTransaction(database, async (db) => {
    const now = clock()
    const person = await ownerIn(db, asked)
    const proof = person && { userId: person.id, now, rp, challenge, response, log }
    const refusal = proof ? await provePasskey(db, proof) : 'wrong-passkey'
    if (refusal || !person) return recordFailure(db, { person, asked, now, reason: refusal ?? 'wrong-passkey' })
    await forgetAttempts(db, ids)
    const denial = denialOf(context, person)
    if (denial) {
      await addAudit(db, { ...lineOf(person, asked), at: now, action: 'login', result: 'DENIED', reason: denial })
      return { denial }
    }
    return { token: await completeSignIn(db, context, { person, asked, by: 'passkey' }) }
  })
  if ('token' in outcome) return outcome.token
  if ('failures' in outcome) {
    if (outcome.failures === manyFailures && outcome.person) asked.onManyFailures(outcome.person)
    throw accountProblem('passkey.refused')
  }
  throw denials[outcome.denial]()
}
