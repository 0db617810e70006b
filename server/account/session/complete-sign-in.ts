import { type RawBuilder, sql } from 'kysely'
import type { Role } from '#schema/roles.ts'
import type { ServerReason } from '#schema/server-reasons.ts'
import type { SessionToken, SessionUser } from '#schema/wire/wire.ts'
import type { Language } from '#schema/words.ts'
import type { ServerContext } from '#server/base/context.ts'
import { forgiveAccount } from '#server/base/rate-limits.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import { openSession } from './session-store.ts'
import { recordDevice } from './sign-in-device.ts'

/** The user who signs in; `changedAt` is the time of the password. */
export type Person = {
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

/** `device`: hash of the token by which this browser is known again. */
export type SigningIn = { ip: string; label: string; requestId: string; device?: string | undefined }

export type SignInContext = Pick<ServerContext, 'database' | 'clock'> & {
  config: Pick<ServerContext['config'], 'tokenTtlS' | 'requireSecondFactor' | 'oidcOnly' | 'publicUrl'>
}

const personWhere = (db: Queryable, condition: RawBuilder<unknown>) =>
  rowOf(
    db,
    sql<Person>`select u."id", u."email", u."role", u."firstName", u."lastName", u."language", u."timezone", u."lockedAt",
        u."deletedAt", c."passwordHash", c."changedAt" from "user" u left join "credential" c on c."userId" = u."id" where ${condition}`,
  )

export const personBy = (db: Queryable, email: string) => personWhere(db, sql`u."email" = ${email}`)
export const personOf = (db: Queryable, id: string) => personWhere(db, sql`u."id" = ${id}`)

/**
 * Rereads and locks the user when the session opens: verifying a password takes time, in which password or account may change.
 * Undefined when the password no longer matches. A concurrent change waits for the lock and then ends this session, too.
 * Without `changedAt` no password was asked for: the provider has authenticated the user.
 */
export async function rereadPerson(db: Queryable, person: Person): Promise<Person | undefined> {
  const { id, email, changedAt } = person
  // Compared by time: a concurrent sign-in may have rehashed the same password.
  const isSame =
    changedAt === null ||
    (await rowOf(db, sql`select 1 from "credential" where "userId" = ${id} and "changedAt" = ${changedAt} for no key update`))
  const now = await rowOf(
    db,
    sql<
      Pick<Person, 'lockedAt' | 'deletedAt'>
    >`select "lockedAt", "deletedAt" from "user" where "id" = ${id} and "email" = ${email} for no key update`,
  )
  return isSame && now ? { ...person, ...now } : undefined
}

/** Reason why a user may not sign in; undefined when nothing stands against it. */
export const barredBy = ({
  deletedAt,
  lockedAt,
}: Pick<Person, 'deletedAt' | 'lockedAt'>): Extract<ServerReason, 'user.deleted' | 'user.locked'> | undefined =>
  deletedAt ? 'user.deleted' : lockedAt ? 'user.locked' : undefined

/** Audit entry of a sign-in; the user may be unknown. */
export const lineOf = (person: Person | undefined, { requestId, ip }: SigningIn) => ({
  entityType: 'session',
  actorId: person?.id,
  role: person?.role,
  entityId: person?.id,
  ...(person && { code: person.email }),
  requestId,
  ip,
})

type Completing = { person: Person; asked: SigningIn; by?: ServerReason; providerToken?: string | null }

/** Opens the session of a fully authenticated user: failures are reset and the sign-in is recorded. */
export async function completeSignIn(
  db: Queryable,
  { clock, config }: Pick<SignInContext, 'clock' | 'config'>,
  { person, asked, by, providerToken = null }: Completing,
): Promise<SessionToken> {
  const now = clock()
  const { id, email, role, firstName, lastName, language, timezone } = person
  await forgiveAccount(db, email)
  if (asked.device !== undefined) await recordDevice(db, { userId: id, device: asked.device, now })
  await addAudit(db, { ...lineOf(person, asked), at: now, action: 'login', result: 'OK', reason: by })
  await sql`update "user" set "lastLoginAt" = ${now}, "failedLoginCount" = 0 where "id" = ${id}`.execute(db)
  const user: SessionUser = { id, email, role, firstName, lastName, language, timezone }
  return openSession(db, { user, now, ttlS: config.tokenTtlS, label: asked.label, ip: asked.ip, providerToken })
}
