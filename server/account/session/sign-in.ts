import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Role } from '#schema/roles.ts'
import type { ServerReason } from '#schema/server-reasons.ts'
import type { SessionToken, SessionUser } from '#schema/wire/wire.ts'
import type { Language } from '#schema/words.ts'
import type { ServerContext } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { addFailure, failuresOf, forgetAttempts, forgiveAccount, limits, takeAttempt } from '#server/base/rate-limits.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import type { Passwords } from './password.ts'
import { openSession } from './session-store.ts'

type Person = {
  id: string
  email: string
  role: Role
  firstName: string
  lastName: string
  language: Language | null
  timezone: string | null
  lockedAt: string | null
  deletedAt: string | null
  passwordHash: string | null
  changedAt: string | null
}

export type Failing = Pick<Person, 'email' | 'firstName' | 'language'>
export type SignIn = {
  email: string
  password: string
  ip: string
  label: string
  requestId: string
  /** Called once when the failures of an hour become many. */
  onManyFailures?: (person: Failing) => void
}

/** From so many failures in an hour on, from all addresses, an attempt waits, and the owner is told. */
export const manyFailures = 10
const longestWaitMs = 16_000

/** 1, 2, 4 … 16 s. With the right password a person waits and comes in. */
const waitAfter = (failures: number): number =>
  failures < manyFailures ? 0 : Math.min(longestWaitMs, 1_000 * 2 ** (failures - manyFailures))

const personBy = (db: Queryable, email: string) =>
  rowOf(
    db,
    sql<Person>`select u."id", u."email", u."role", u."firstName", u."lastName", u."language", u."timezone", u."lockedAt",
        u."deletedAt", c."passwordHash", c."changedAt" from "user" u left join "credential" c on c."userId" = u."id" where u."email" = ${email}`,
  )

/**
 * The user at the moment the session opens, locked until then: checking a password takes time in which the password or the
 * account may change. Undefined when the password no longer matches. A concurrent change waits and then ends this session, too.
 */
async function stillOf(db: Queryable, person: Person): Promise<Person | undefined> {
  const { id, email, changedAt } = person
  // Compared by time: a concurrent sign-in may have rehashed the same password.
  const isSame = await rowOf(
    db,
    sql`select 1 from "credential" where "userId" = ${id} and "changedAt" = ${changedAt} for no key update`,
  )
  const now = await rowOf(
    db,
    sql<
      Pick<Person, 'lockedAt' | 'deletedAt'>
    >`select "lockedAt", "deletedAt" from "user" where "id" = ${id} and "email" = ${email} for no key update`,
  )
  return isSame && now ? { ...person, ...now } : undefined
}

const barredBy = ({ deletedAt, lockedAt }: Person): Extract<ServerReason, `user.${string}`> | undefined =>
  deletedAt ? 'user.deleted' : lockedAt ? 'user.locked' : undefined

const lineOf = (person: Person | undefined) => ({ actorId: person?.id, role: person?.role, entityId: person?.id })

type Context = Pick<ServerContext, 'database' | 'clock'> & { config: Pick<ServerContext['config'], 'tokenTtlS'> }

/**
 * Checks e-mail and password and opens a session. Without the password a caller learns nothing of the account: not whether it
 * exists, is locked or deleted, neither by the answer nor by its time.
 */
export async function signIn(context: Context, passwords: Passwords, asked: SignIn): Promise<SessionToken> {
  const { database, clock, config } = context
  const { email, ip, requestId } = asked
  const account = limits.account(email, ip)
  const attempt = await inTransaction(database, (db) => takeAttempt(db, [account, limits.address(ip)], clock()))
  const line = { entityType: 'session', code: email, requestId, ip } as const
  if (attempt.waitS > 0) throw problem('too-many-logins', { retryAfterS: attempt.waitS })

  await sleep(waitAfter(await failuresOf(database.kysely, email, clock())))
  const person = await personBy(database.kysely, email)
  const right = await passwords.verify(person?.passwordHash, asked.password)
  const refuse = async (who: Person | undefined) => {
    const failures = await inTransaction(database, async (db) => {
      // The same statements for known and unknown addresses: timing would distinguish them.
      await sql`update "user" set "failedLoginCount" = coalesce("failedLoginCount", 0) + 1 where "email" = ${email}`.execute(db)
      await addAudit(db, {
        ...line,
        ...lineOf(who),
        at: clock(),
        action: 'login',
        result: 'FAILED',
        reason: 'wrong-password' satisfies ServerReason,
      })
      return addFailure(db, email, clock())
    })
    if (failures === manyFailures && who) asked.onManyFailures?.(who)
    throw problem('login-failed')
  }
  if (!person || !right) return refuse(person)

  const renewed = passwords.isOutdated(person.passwordHash ?? '') ? await passwords.hash(asked.password) : undefined
  const opened = await inTransaction(database, async (db) => {
    const still = await stillOf(db, person)
    if (!still) return undefined
    const barred = barredBy(still)
    await forgetAttempts(db, attempt.ids, account.key)
    await forgiveAccount(db, email)
    const result = barred ? 'DENIED' : 'OK'
    await addAudit(db, { ...line, ...lineOf(still), at: clock(), action: 'login', result, reason: barred })
    if (barred) return { barred }
    const now = clock()
    await sql`update "user" set "lastLoginAt" = ${now}, "failedLoginCount" = 0 where "id" = ${person.id}`.execute(db)
    if (renewed)
      await sql`update "credential" set "passwordHash" = ${renewed} where "userId" = ${person.id} and "passwordHash" = ${person.passwordHash}`.execute(
        db,
      )
    const { id, role, firstName, lastName, language, timezone } = person
    const user: SessionUser = { id, email: person.email, role, firstName, lastName, language, timezone }
    return { token: await openSession(db, { user, now, ttlS: config.tokenTtlS, label: asked.label, ip }) }
  })
  if (!opened) return refuse(person)
  if ('barred' in opened) throw problem(opened.barred)
  return opened.token
}
