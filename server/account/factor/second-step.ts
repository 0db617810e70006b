import type { ServerReason } from '#schema/server-reasons.ts'
import type { SessionToken } from '#schema/wire/wire.ts'
import { accountProblem } from '#server/account/problems.ts'
import {
  barredBy,
  completeSignIn,
  lineOf,
  type Person,
  personOf,
  type SignInContext,
  type SigningIn,
  stillOf,
} from '#server/account/session/complete-sign-in.ts'
import { takeLoginAttempt } from '#server/account/session/login-attempt.ts'
import { addFailedProof, type Failing, manyFailures } from '#server/account/session/sign-in.ts'
import { problem } from '#server/base/problems.ts'
import { forgetAttempts, type Limit, limits } from '#server/base/rate-limits.ts'
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
import type { VaultConfig } from './secret-vault.ts'

type FactorContext = SignInContext & { config: VaultConfig }

export type SecondStep = SigningIn & {
  challenge: string
  onManyFailures?: (person: Failing) => void
  /** Called in the transaction once a recovery code was used or a factor was set up. */
  onChange?: (db: Queryable, person: Person, change: FactorChange) => Promise<void>
}
type ByCode = SecondStep & { code: string }
export type FactorChange = { kind: 'added' } | { kind: 'passkey'; name: string } | { kind: 'recovery'; left: number }

/**
 * The person behind a challenge, as long as password and account are what they were when it was opened. A challenge to set up the first
 * factor is dead once there is one: the password alone must add none beside it.
 */
export async function challenged(db: Queryable, asked: { token: string; step: ChallengeStep; now: Date }): Promise<Person> {
  const { userId, changedAt } = await readChallenge(db, asked)
  const person = await personOf(db, userId)
  const still = person && (await stillOf(db, { ...person, changedAt }))
  if (!still) throw accountProblem('challenge.dead')
  if (asked.step === 'enrol' && hasFactor(await factorsOf(db, userId))) throw accountProblem('challenge.dead')
  return still
}

/** Begins the enrolment that a role asks for; the secret is good for nothing until a code of it has come back. */
export function beginAtSignIn({ database, clock, config }: FactorContext, challenge: string): Promise<Enrolment> {
  return inTransaction(database, async (db) => {
    const now = clock()
    const { id, email } = await challenged(db, { token: challenge, step: 'enrol', now })
    const begun = await beginTotp(db, { userId: id, email, now, config })
    if (!begun) throw accountProblem('challenge.dead')
    return begun
  })
}

/** Recovery codes are too long to guess, and known addresses have a count of their own: strangers do not use up their tries. */
async function sharedLimits(db: Queryable, asked: { userId: string; ip: string; code: string; now: Date }): Promise<Limit[]> {
  const own = !isAppCode(asked.code) || (await isKnownAddress(db, asked))
  return own ? [] : [limits.code(asked.userId)]
}

type Refused = Extract<ServerReason, 'wrong-code' | 'wrong-passkey' | 'passkey.counter'>
type Proven = { by: FactorKind; recoveryCodes?: string[] }
export type Step = {
  step: ChallengeStep
  /** The typed proof, where it could be guessed. */
  code?: string
  prove: (db: Queryable, person: Person, now: Date) => Promise<Proven | { refused: Refused }>
}

/**
 * The second step of a sign-in. Attempts are counted before the proof is looked at, in a transaction of their own, so that no refusal
 * takes the count back.
 */
export async function completeStep(context: SignInContext, asked: SecondStep, { step, code, prove }: Step) {
  const { database, clock } = context
  const presented = { token: asked.challenge, step, now: clock() }
  const { userId } = await readChallenge(database.kysely, presented)
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
    await forgetAttempts(db, ids, from.key)
    const { by, recoveryCodes = [] } = proven
    return { token: await completeSignIn(db, context, { person, asked, by }), recoveryCodes }
  })
  if ('barred' in outcome && outcome.barred) throw problem(outcome.barred)
  if ('failures' in outcome) {
    if (outcome.failures === manyFailures) asked.onManyFailures?.(outcome.person)
    throw accountProblem(outcome.reason === 'wrong-code' ? 'wrong-code' : 'passkey.refused')
  }
  return outcome
}

/** Signs in by a code of the app or a recovery code. */
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

/** Ends an enrolment at sign-in by the first code: the recovery codes are answered with the session. */
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
