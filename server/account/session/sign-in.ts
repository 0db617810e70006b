import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ServerReason } from '#schema/server-reasons.ts'
import type { SessionToken } from '#schema/wire/wire.ts'
import { type OpenedStep, openStep } from '#server/account/factor/open-step.ts'
import { oidcProblem } from '#server/account/oidc/oidc-problems.ts'
import { isProviderOnly } from '#server/account/oidc/oidc-settings.ts'
import { problem } from '#server/base/problems.ts'
import { addFailure, failuresOf, forgetAttempts, limits } from '#server/base/rate-limits.ts'
import type { Queryable } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import {
  barredBy,
  completeSignIn,
  lineOf,
  type Person,
  personBy,
  type SignInContext,
  type SigningIn,
  stillOf,
} from './complete-sign-in.ts'
import { takeLoginAttempt } from './login-attempt.ts'
import type { Passwords } from './password.ts'

export type Failing = Pick<Person, 'email' | 'firstName' | 'language'>
export type SignIn = SigningIn & {
  email: string
  password: string
  /** Called once when the failures of an hour become many. */
  onManyFailures?: (person: Failing) => void
}

/** From so many failures in an hour on, from all addresses, an attempt waits, and the owner is told. */
export const manyFailures = 10
const longestWaitMs = 16_000

/** 1, 2, 4 … 16 s. With the right password a person waits and comes in. */
const waitAfter = (failures: number): number =>
  failures < manyFailures ? 0 : Math.min(longestWaitMs, 1_000 * 2 ** (failures - manyFailures))

/** Counts a failed proof of an account, a password or a code, and notes it. Answers how many they are within the hour. */
export async function addFailedProof(
  db: Queryable,
  failed: { email: string; person: Person | undefined; asked: SigningIn; now: Date; reason: ServerReason },
): Promise<number> {
  const { email, person, asked, now, reason } = failed
  // The same statements for known and unknown addresses: timing would distinguish them.
  await sql`update "user" set "failedLoginCount" = coalesce("failedLoginCount", 0) + 1 where "email" = ${email}`.execute(db)
  await addAudit(db, { ...lineOf(person, asked), code: email, at: now, action: 'login', result: 'FAILED', reason })
  return addFailure(db, email, now)
}

/**
 * Checks e-mail and password and opens a session, or a challenge where the account has a second factor or needs one. Without the
 * password a caller learns nothing of the account: not whether it exists, is locked, deleted or has a second factor, neither by the
 * answer nor by its time.
 */
export async function signIn(context: SignInContext, passwords: Passwords, asked: SignIn): Promise<SessionToken | OpenedStep> {
  const { database, clock, config } = context
  const { email, ip } = asked
  const account = limits.account(email, ip)
  const ids = await takeLoginAttempt(context, account, limits.address(ip))

  await sleep(waitAfter(await failuresOf(database.kysely, email, clock())))
  const person = await personBy(database.kysely, email)
  const right = await passwords.verify(person?.passwordHash, asked.password)
  const refuse = async (who: Person | undefined) => {
    const failed = { email, person: who, asked, now: clock(), reason: 'wrong-password' } as const
    const failures = await inTransaction(database, (db) => addFailedProof(db, failed))
    if (failures === manyFailures && who) asked.onManyFailures?.(who)
    throw problem('login-failed')
  }
  if (!person || !right) return refuse(person)

  const renewed = passwords.isOutdated(person.passwordHash ?? '') ? await passwords.hash(asked.password) : undefined
  const opened = await inTransaction(database, async (db) => {
    const still = await stillOf(db, person)
    if (!still) return undefined
    const now = clock()
    const barred = barredBy(still)
    const line = { ...lineOf(still, asked), at: now }
    if (barred) {
      await forgetAttempts(db, ids, account.key)
      await addAudit(db, { ...line, action: 'login', result: 'DENIED', reason: barred })
      return { barred }
    }
    if (isProviderOnly(config, still.role)) {
      await forgetAttempts(db, ids)
      await addAudit(db, { ...line, action: 'login', result: 'DENIED', reason: 'oidc.only' satisfies ServerReason })
      return { providerOnly: true }
    }
    if (renewed)
      await sql`update "credential" set "passwordHash" = ${renewed} where "userId" = ${person.id} and "passwordHash" = ${person.passwordHash}`.execute(
        db,
      )
    const answer = await openStep(db, config, { ...still, now })
    if (answer) {
      // Failures are forgiven by the second factor: the password alone must not give new tries at it.
      await forgetAttempts(db, ids)
      await addAudit(db, { ...line, action: 'challenge' })
      return { answer }
    }
    await forgetAttempts(db, ids, account.key)
    return { answer: await completeSignIn(db, context, { person: still, asked }) }
  })
  if (!opened) return refuse(person)
  if ('barred' in opened) throw problem(opened.barred)
  if ('providerOnly' in opened) throw oidcProblem('oidc.only')
  return opened.answer
}
