import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ServerReason } from '#schema/server-reasons.ts'
import type { SessionToken } from '#schema/wire/wire.ts'
import { type OpenedStep, openStep } from '#server/account/factor/open-step.ts'
import { oidcProblem } from '#server/account/oidc/oidc-problems.ts'
import { isProviderOnly } from '#server/account/oidc/oidc-settings.ts'
import { problem } from '#server/base/problems.ts'
import { addFailure, failuresOf, forgetAttempts, type Limit, limits } from '#server/base/rate-limits.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import {
  barredBy,
  completeSignIn,
  lineOf,
  type Person,
  personBy,
  rereadPerson,
  type SignInContext,
  type SigningIn,
} from './complete-sign-in.ts'
import { withLoginAttempt } from './login-attempt.ts'
import type { Passwords } from './password.ts'
import { isKnownDevice } from './sign-in-device.ts'

export type Failing = Pick<Person, 'email' | 'firstName' | 'language'>
export type SignIn = SigningIn & {
  email: string
  password: string
  /** Called once when an hour's failures reach the limit. */
  onManyFailures?: (person: Failing) => void
}

/** From this number of failures per hour on, over all addresses, attempts are delayed and the owner is notified. */
export const manyFailures = 10
const longestWaitMs = 16_000

/** Exponential delay: 1, 2, 4 … 16 s. With the correct password the user waits and is let in. */
const waitAfter = (failures: number): number =>
  failures < manyFailures ? 0 : Math.min(longestWaitMs, 1_000 * 2 ** (failures - manyFailures))

/**
 * Limits of an attempt: per account and address, and per address; for a device that is known to the account its own. A person
 * who fails on purpose bars himself, also behind the same address.
 */
export async function limitsOf(
  db: Queryable,
  { email, ip, device }: Pick<SignIn, 'email' | 'ip' | 'device'>,
  now: Date,
): Promise<{ isKnown: boolean; tried: [account: Limit, ...further: Limit[]] }> {
  if (device !== undefined && (await isKnownDevice(db, { email, device, now })))
    return { isKnown: true, tried: [limits.device(email, device)] }
  return { isKnown: false, tried: [limits.account(email, ip), limits.address(ip)] }
}

/**
 * Counts a failed password or code of an account and audits it. Returns the failures within the hour. A person who was erased
 * while the attempt was under way is named by id alone, as the erasure leaves its entries.
 */
export async function addFailedProof(
  db: Queryable,
  failed: { email: string; person: Person | undefined; asked: SigningIn; now: Date; reason: ServerReason },
): Promise<number> {
  const { email, person, asked, now, reason } = failed
  // The same statements for known and unknown addresses, against timing attacks. Waits for an erasure that holds the row.
  const there = await rowOf(
    db,
    sql`update "user" set "failedLoginCount" = coalesce("failedLoginCount", 0) + 1 where "id" = ${person?.id ?? ''} returning 1`,
  )
  const isErased = person && !there
  const entry = { ...lineOf(person, asked), at: now, action: 'login', result: 'FAILED', reason } as const
  await addAudit(db, isErased ? { ...entry, code: undefined, ip: '' } : { ...entry, code: email })
  return isErased ? 0 : addFailure(db, email, now)
}

/**
 * Verifies e-mail and password and opens a session, or a challenge when the account has or requires a second factor. Without
 * the password a caller learns nothing about the account, neither from the response nor from its time: not whether it exists,
 * is locked, deleted or has a second factor.
 */
export async function signIn(context: SignInContext, passwords: Passwords, asked: SignIn): Promise<SessionToken | OpenedStep> {
  const { isKnown, tried } = await limitsOf(context.database.kysely, asked, context.clock())
  const [account] = tried
  return withLoginAttempt(context, tried, (ids) => proveBy(context, passwords, asked, { ids, account, isKnown }))
}

type Attempt = { ids: readonly number[]; account: Limit; isKnown: boolean }

async function proveBy(
  context: SignInContext,
  passwords: Passwords,
  asked: SignIn,
  { ids, account, isKnown }: Attempt,
): Promise<SessionToken | OpenedStep> {
  const { database, clock, config } = context
  const { email } = asked
  if (!isKnown) await sleep(waitAfter(await failuresOf(database.kysely, email, clock())))
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
    const still = await rereadPerson(db, person)
    if (!still) return undefined
    const now = clock()
    const barred = barredBy(still)
    const line = { ...lineOf(still, asked), at: now }
    if (barred) {
      await forgetAttempts(db, ids, { limit: account, now })
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
      // Failures are reset by the second factor only: the password alone must not grant new attempts at it.
      await forgetAttempts(db, ids)
      await addAudit(db, { ...line, action: 'challenge' })
      return { answer }
    }
    await forgetAttempts(db, ids, { limit: account, now })
    return { answer: await completeSignIn(db, context, { person: still, asked }) }
  })
  if (!opened) return refuse(person)
  if ('barred' in opened) throw problem(opened.barred)
  if ('providerOnly' in opened) throw oidcProblem('oidc.only')
  return opened.answer
}
