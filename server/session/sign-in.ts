import { sql } from 'kysely'
import type { Role } from '#schema/roles.ts'
import type { ServerReason } from '#schema/server-reasons.ts'
import type { SessionToken, SessionUser } from '#schema/wire.ts'
import type { Language } from '#schema/words.ts'
import type { ServerContext } from '#server/context.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Passwords } from '#server/domain/password.ts'
import { problem } from '#server/problems.ts'
import { forgetAttempts, limits, takeAttempt } from './attempts.ts'
import { addAudit } from './audit-entry.ts'
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
}

export type SignIn = { email: string; password: string; ip: string; label: string; requestId: string }

const personBy = (db: Queryable, email: string) =>
  rowOf(
    db,
    sql<Person>`select u."id", u."email", u."role", u."firstName", u."lastName", u."language", u."timezone", u."lockedAt",
        u."deletedAt", c."passwordHash" from "user" u left join "credential" c on c."userId" = u."id" where u."email" = ${email}`,
  )

/**
 * Checks e-mail and password and opens a session. Whoever does not know the password learns nothing of the account: not whether it
 * exists, is locked or deleted, neither by the answer nor by its time.
 */
export async function signIn(context: ServerContext, passwords: Passwords, asked: SignIn): Promise<SessionToken> {
  const { database, clock, config } = context
  const { email, ip, requestId } = asked
  const account = limits.account(email)
  const attempt = await inTransaction(database, (db) => takeAttempt(db, [account, limits.address(ip)], clock()))
  const line = { entityType: 'session', code: email, requestId, ip } as const
  if (attempt.waitS > 0) {
    await addAudit(database.kysely, {
      ...line,
      at: clock(),
      action: 'login',
      result: 'DENIED',
      reason: 'too-many-attempts' satisfies ServerReason,
    })
    throw problem('too-many-logins', { retryAfterS: attempt.waitS })
  }

  const person = await personBy(database.kysely, email)
  const right = await passwords.verify(person?.passwordHash, asked.password)
  const who = { actorId: person?.id, role: person?.role, entityId: person?.id }
  if (!person || !right) {
    await inTransaction(database, async (db) => {
      // The same statements for known and unknown addresses: time would tell them apart.
      await sql`update "user" set "failedLoginCount" = coalesce("failedLoginCount", 0) + 1 where "email" = ${email}`.execute(db)
      await addAudit(db, {
        ...line,
        ...who,
        at: clock(),
        action: 'login',
        result: 'FAILED',
        reason: 'wrong-password' satisfies ServerReason,
      })
    })
    throw problem('login-failed')
  }

  const barred = (person.deletedAt ? 'user.deleted' : person.lockedAt ? 'user.locked' : undefined) satisfies
    | ServerReason
    | undefined
  const renewed = passwords.isOutdated(person.passwordHash ?? '') ? await passwords.hash(asked.password) : undefined
  const token = await inTransaction(database, async (db) => {
    await forgetAttempts(db, attempt.ids, account.key)
    await addAudit(db, { ...line, ...who, at: clock(), action: 'login', result: barred ? 'DENIED' : 'OK', reason: barred })
    if (barred) return undefined
    const now = clock()
    await sql`update "user" set "lastLoginAt" = ${now}, "failedLoginCount" = 0 where "id" = ${person.id}`.execute(db)
    if (renewed)
      await sql`update "credential" set "passwordHash" = ${renewed} where "userId" = ${person.id} and "passwordHash" = ${person.passwordHash}`.execute(
        db,
      )
    const { id, role, firstName, lastName, language, timezone } = person
    const user: SessionUser = { id, email: person.email, role, firstName, lastName, language, timezone }
    return openSession(db, { user, now, ttlS: config.tokenTtlS, label: asked.label, ip })
  })
  if (!token) throw problem(barred ?? 'login-failed')
  return token
}
