import type { ServerReason } from '#schema/server-reasons.ts'
import type { SessionToken } from '#schema/wire/wire.ts'
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
import { forgetAttempts, type Limit, limits } from '#server/base/rate-limits.ts'
import type { VaultConfig } from '#server/base/secret-vault.ts'
import type { Queryable } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import { type ChallengeStep, closeChallenge, readChallenge } from './challenge.ts'
import {
  beginTotp,
  confirmTotp,
  type Enrolment,
  type FactorKind,
  factorsOf,
  hasFactor,
  isAppCode,
  proveFactor,
} from './factor-store.ts'
import { isKnownAddress } from './known-address.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'

type FactorContext = SignInContext & { config: VaultConfig }

export type SecondStep = SigningIn & {
  challenge: string
  onManyFailures?: (person: Failing) => void
  /** Called in the transaction after a recovery code was used or a factor set up. */
  onChange?: (db: Queryable, person: Person, change: FactorChange) => Promise<void>
}
type ByCode = SecondStep & { code: string }
export type FactorChange = { kind: 'added' } | { kind: 'passkey'; name: string } | { kind: 'recovery'; left: number }

/**
 * The user behind a challenge, if password and account are unchanged since. A challenge to set up the first factor ends once
 * there is one: the password alone must not add another.
 */
export async function challenged(db: Queryable, asked: { token: string; step: ChallengeStep; now: Date }): Promise<Person> {
  const { userId, changedAt } = await readChallenge(db, asked)
  const person = await personOf(db, userId)
  const still = person && (await rereadPerson(db, { ...person, changedAt }))
  if (!still) throw accountProblem('challenge.dead')
  if (asked.step === 'enrol' && hasFactor(await factorsOf(db, userId))) throw accountProblem('challenge.dead')
  return still
}

/** Starts an enrolment required by the role; the secret is unusable until one of its codes is verified. */
export function beginAtSignIn({ database, clock, config }: FactorContext, challenge: string): Promise<Enrolment> {
  return inTransaction(database, async (db) => {
    const now = clock()
    const { id, email } = await challenged(db, { token: challenge, step: 'enrol', now })
    const begun = await beginTotp(db, { userId: id, email, now, config })
    if (!begun) throw accountProblem('challenge.dead')
    return begun
  })
}

/**
 * Shared limits for guessing. Recovery codes are too long to guess and known addresses have their own count, so strangers
 * cannot use up the owner's attempts.
 */
async function sharedLimits(db: Queryable, asked: { userId: string; ip: string; code: string; now: Date }): Promise<Limit[]> {
  const own = !isAppCode(asked.code) || (await isKnownAddress(db, asked))
  return own ? [] : [limits.code(asked.userId)]
}

type Refused = Extract<ServerReason, 'wrong-code' | 'wrong-passkey' | 'passkey.counter'>
type Proven = { by: FactorKind; recoveryCodes?: string[] }
export type Step = {
  step: ChallengeStep
  code?: string
  prove: (db: Queryable, person: Person, now: Date) => Promise<Proven | { refused: Refused }>
}

/**
 * The second step of a sign-in. Attempts are counted before verification in a transaction of their own, so that a refusal does
 * not roll back the count.
 */
export async function completeStep(context: SignInContext, asked: SecondStep, { step, code, prove }: Step) {
  const { database, clock } = context
  const presented = { token: asked.challenge, step, now: clock() }
  const { userId, providerToken } = await readChallenge(database.kysely, presented)
  const from = limits.codeFrom(userId, asked.ip)
  const typed = code === undefined ? undefined : { userId, ip: asked.ip, code, now: presented.now }
  const shared = typed ? await sharedLimits(database.kysely, typed) : []
  const ids = await takeLoginAttempt(context, from, ...shared, limits.address(asked.ip))

  const outcome = await inTransaction(database, async (db) => {
    const now = clock()
    const person = await challenged(db, presented)
    const barred = barredBy(person)
    if (barred) {
      await addAudit(db, { ...lineOf(person, asked), at: now, action: 'login', result: 'DENIED', reason: barred })
      return { barred }
    }
    const proven = await prove(db, person, now)
    if ('refused' in proven) {
      const failed = { email: person.email, person, asked, now, reason: proven.refused }
      return { failures: await addFailedProof(db, failed), person, reason: proven.refused }
    }
    if (!(await closeChallenge(db, asked.challenge))) throw accountProblem('challenge.dead')
    await forgetAttempts(db, ids, { limit: from, now })
    const { by, recoveryCodes = [] } = proven
    return { token: await completeSignIn(db, context, { person, asked, by, providerToken }), recoveryCodes }
  })
  if ('barred' in outcome && outcome.barred) throw problem(outcome.barred)
  if ('failures' in outcome) {
    if (outcome.failures === manyFailures) asked.onManyFailures?.(outcome.person)
    throw accountProblem(outcome.reason === 'wrong-code' ? 'wrong-code' : 'passkey.refused')
  }
  return outcome
}

/** Signs in by an app code or a recovery code. */
export async function signInByCode(context: FactorContext, asked: ByCode): Promise<SessionToken> {
  const { code } = asked
  const { token } = await completeStep(context, asked, {
    step: 'code',
    code,
    async prove(db, { id, ...person }, now) {
      const by = await proveFactor(db, { userId: id, code, now, config: context.config })
      if (by === 'recovery') {
        const { recoveryLeft } = await factorsOf(db, id)
        await asked.onChange?.(db, { id, ...person }, { kind: 'recovery', left: recoveryLeft })
      }
      return by ? { by } : { refused: 'wrong-code' }
    },
  })
  return token
}

/** Completes an enrolment at sign-in by the first code; recovery codes are returned with the session. */
export async function enrolAtSignIn(
  context: FactorContext,
  asked: ByCode,
): Promise<SessionToken & { recoveryCodes: string[] }> {
  const { code } = asked
  const { token, recoveryCodes } = await completeStep(context, asked, {
    step: 'enrol',
    code,
    async prove(db, person, now) {
      const isRight = await confirmTotp(db, { userId: person.id, code, now, config: context.config })
      if (!isRight) return { refused: 'wrong-code' }
      await asked.onChange?.(db, person, { kind: 'added' })
      await addAudit(db, { ...lineOf(person, asked), at: now, entityType: 'user', action: 'add-factor' })
      return { by: 'totp', recoveryCodes: await renewRecoveryCodes(db, person.id) }
    },
  })
  return { ...token, recoveryCodes }
}
