import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { dayMs, hourMs, minuteMs } from '#schema/format/durations.ts'
import type { SessionToken, SessionUser } from '#schema/wire/wire.ts'
import { forgetChallenges } from '#server/account/factor/challenge.ts'
import type { Caller } from '#server/base/caller.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { hashToken, newToken } from './token.ts'

/**
 * Lifetimes in milliseconds: a session ends by age, or after an hour without calls; a replaced token stays valid for calls in
 * flight.
 */
export const sessionLife = { idleMs: hourMs, absoluteMs: dayMs, graceMs: 30_000, touchMs: minuteMs } as const

type PersonColumns = Omit<SessionUser, 'id'>
type TokenRow = PersonColumns & {
  expiresAt: string
  replacedAt: string | null
  revokedAt: string | null
  usedAt: string | null
  isFollowed: boolean
  sessionId: string
  userId: string
  lastSeenAt: string
  absoluteExpiresAt: string
  endedAt: string | null
  endReason: string | null
  lockedAt: string | null
  deletedAt: string | null
}

/**
 * `expired`: valid for a refresh only. `reused`: replaced long ago by a token that is in use, so someone else may hold a copy.
 * While no replacement has been used, the refresh response was probably lost, and the old token still refreshes.
 */
export type FoundState = 'live' | 'expired' | 'ended' | 'reused'
export type FoundToken = {
  state: FoundState
  /** Undefined while the session is live. */
  endReason: string | undefined
  caller: Caller
  /** Replaced so long ago that no call can be in flight. */
  isLate: boolean
  isUsed: boolean
  /** Epoch milliseconds until which the token authorises ordinary calls. */
  goodUntil: number
  lastSeenAt: number
  absoluteExpiresAt: number
}

const time = (text: string) => Date.parse(text)

const isLate = ({ replacedAt }: TokenRow, now: number) => replacedAt !== null && time(replacedAt) + sessionLife.graceMs < now

function endReasonOf(row: TokenRow, now: number): string | undefined {
  if (row.endedAt) return row.endReason ?? ''
  if (row.deletedAt) return 'deleted'
  if (row.lockedAt) return 'locked'
  if (time(row.absoluteExpiresAt) <= now) return 'age'
  return time(row.lastSeenAt) + sessionLife.idleMs <= now ? 'idle' : undefined
}

function stateOf(row: TokenRow, now: number): FoundState {
  if (endReasonOf(row, now) !== undefined) return 'ended'
  if (row.revokedAt || (isLate(row, now) && row.isFollowed)) return 'reused'
  return time(row.expiresAt) <= now ? 'expired' : 'live'
}

const userOf = ({ userId, email, role, firstName, lastName, language, timezone }: TokenRow): SessionUser => ({
  id: userId,
  email,
  role,
  firstName,
  lastName,
  language,
  timezone,
})

function foundOf(row: TokenRow, now: Date): FoundToken {
  const user = userOf(row)
  const state = stateOf(row, now.getTime())
  const replaced = row.replacedAt ? time(row.replacedAt) + sessionLife.graceMs : Number.POSITIVE_INFINITY
  return {
    state,
    endReason: state === 'reused' ? 'token reuse' : endReasonOf(row, now.getTime()),
    caller: { userId: user.id, role: user.role, sessionId: row.sessionId, email: user.email, user },
    isLate: isLate(row, now.getTime()),
    isUsed: row.usedAt !== null,
    goodUntil: Math.min(time(row.expiresAt), replaced),
    lastSeenAt: time(row.lastSeenAt),
    absoluteExpiresAt: time(row.absoluteExpiresAt),
  }
}

/** Sessions by token hash, with users and roles; unknown tokens are absent. */
export async function findTokens(
  db: Queryable,
  hashes: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, FoundToken>> {
  const rows = await rowsOf(
    db,
    sql<
      TokenRow & { hash: string }
    >`select t."hash", t."expiresAt", t."replacedAt", t."revokedAt", t."usedAt", exists (select from "sessionToken" n
          where n."parentHash" = t."hash" and n."usedAt" is not null) as "isFollowed", s."id" as "sessionId", s."userId",
        s."lastSeenAt", s."absoluteExpiresAt", s."endedAt", s."endReason", u."email", u."role", u."firstName", u."lastName", u."language",
        u."timezone", u."lockedAt", u."deletedAt"
      from "sessionToken" t join "session" s on s."id" = t."sessionId" join "user" u on u."id" = s."userId"
      where t."hash" = any(${sql.val([...hashes])}::text[])`,
  )
  return new Map(rows.map((row) => [row.hash, foundOf(row, now)]))
}

/** The same for one token; undefined for one that was never issued. */
export async function findToken(db: Queryable, token: string, now: Date): Promise<FoundToken | undefined> {
  const hash = hashToken(token)
  return (await findTokens(db, [hash], now)).get(hash)
}

type Issue = {
  sessionId: string
  user: SessionUser
  absoluteExpiresAt: number
  now: Date
  ttlS: number
  parentHash?: string
}

async function issueToken(
  db: Queryable,
  { sessionId, user, absoluteExpiresAt, now, ttlS, parentHash }: Issue,
): Promise<SessionToken> {
  const accessToken = newToken()
  const wanted = Math.ceil(now.getTime() / 1000) + ttlS
  const accessTokenExpired = Math.min(wanted, Math.floor(absoluteExpiresAt / 1000))
  await sql`insert into "sessionToken" ("hash", "sessionId", "expiresAt", "parentHash")
    values (${hashToken(accessToken)}, ${sessionId}, ${new Date(accessTokenExpired * 1000)}, ${parentHash ?? null})`.execute(db)
  return { accessToken, accessTokenExpired, user }
}

/** `providerToken`: sealed, of a sign-in through the provider. */
export type NewSession = {
  user: SessionUser
  now: Date
  ttlS: number
  label: string
  ip: string
  providerToken?: string | null
}

/** Starts a session and returns its first token. */
export async function openSession(db: Queryable, session: NewSession): Promise<SessionToken> {
  const { user, now, ttlS, label, ip, providerToken = null } = session
  const sessionId = uuidv7()
  const absoluteExpiresAt = now.getTime() + sessionLife.absoluteMs
  await sql`insert into "session" ("id", "userId", "createdAt", "lastSeenAt", "absoluteExpiresAt", "confirmedAt",
      "label", "ip", "providerToken")
    values (${sessionId}, ${user.id}, ${now}, ${now}, ${new Date(absoluteExpiresAt)}, ${now}, ${label}, ${ip},
      ${providerToken})`.execute(db)
  return issueToken(db, { sessionId, user, absoluteExpiresAt, now, ttlS })
}

/**
 * Issues another token of the session; the old one stays valid for 30 s. Concurrent refreshes with one token are allowed. A
 * late refresh implies that the earlier response was lost: unused tokens from it are revoked, and their use counts as theft.
 */
export async function renewToken(
  db: Queryable,
  { token, found, now, ttlS }: { token: string; found: FoundToken; now: Date; ttlS: number },
): Promise<SessionToken> {
  const { caller, absoluteExpiresAt } = found
  const parentHash = hashToken(token)
  if (found.isLate)
    await sql`update "sessionToken" set "revokedAt" = ${now} where "parentHash" = ${parentHash} and "usedAt" is null`.execute(
      db,
    )
  const replaced = found.isLate ? sql`${now}` : sql`coalesce("replacedAt", ${now})`
  await sql`update "sessionToken" set "replacedAt" = ${replaced}, "usedAt" = coalesce("usedAt", ${now})
    where "hash" = ${parentHash}`.execute(db)
  await sql`update "session" set "lastSeenAt" = ${now} where "id" = ${caller.sessionId} and "lastSeenAt" < ${now}`.execute(db)
  return issueToken(db, { sessionId: caller.sessionId, user: caller.user, absoluteExpiresAt, now, ttlS, parentHash })
}

/** Records the session's use, at most once a minute, since each record is a write; and the first use of a token. */
export async function touchSession(db: Queryable, token: string, found: FoundToken, now: Date): Promise<void> {
  if (!found.isUsed)
    await sql`update "sessionToken" set "usedAt" = ${now} where "hash" = ${hashToken(token)} and "usedAt" is null`.execute(db)
  if (found.lastSeenAt + sessionLife.touchMs > now.getTime()) return
  await sql`update "session" set "lastSeenAt" = ${now} where "id" = ${found.caller.sessionId} and "lastSeenAt" < ${now}`.execute(
    db,
  )
}

type Ending = { now: Date; reason: string }

/** Ends one session of a user. False when there is no such live session. */
export async function endSession(
  db: Queryable,
  { sessionId, userId, now, reason }: Ending & { sessionId: string; userId: string },
): Promise<boolean> {
  const ended = await rowsOf(
    db,
    sql<{ id: string }>`update "session" set "endedAt" = ${now}, "endReason" = ${reason}, "providerToken" = null
      where "id" = ${sessionId} and "userId" = ${userId} and "endedAt" is null returning "id"`,
  )
  return ended.length > 0
}

/** Ends all sessions of a user. Emit `sessionEvents` after the commit. */
export async function endSessionsOf(db: Queryable, { userId, now, reason }: Ending & { userId: string }): Promise<void> {
  await sql`update "session" set "endedAt" = ${now}, "endReason" = ${reason}, "providerToken" = null
    where "userId" = ${userId} and "endedAt" is null`.execute(db)
}

export type OwnSession = { id: string; label: string; ip: string | null; createdAt: string; lastSeenAt: string }

/** Live sessions of a user, most recently used first. */
export const listSessions = (db: Queryable, userId: string, now: Date): Promise<OwnSession[]> =>
  rowsOf(
    db,
    sql<OwnSession>`select "id", "label", "ip", "createdAt", "lastSeenAt" from "session"
      where "userId" = ${userId} and "endedAt" is null and "absoluteExpiresAt" > ${now}
        and "lastSeenAt" > ${new Date(now.getTime() - sessionLife.idleMs)}
      order by "lastSeenAt" desc, "id" limit 200`,
  )

/** Deletes sessions that ended or expired a day ago, with their tokens, and attempts outside of every limit's window. */
export async function purgeSessions(db: Queryable, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - sessionLife.absoluteMs)
  await sql`delete from "session" where "endedAt" < ${dayAgo} or "absoluteExpiresAt" < ${dayAgo}`.execute(db)
  await sql`update "session" set "providerToken" = null where "providerToken" is not null and ("endedAt" is not null
    or "absoluteExpiresAt" < ${now} or "lastSeenAt" < ${new Date(now.getTime() - sessionLife.idleMs)})`.execute(db)
  await sql`delete from "loginAttempt" where "at" < ${dayAgo}`.execute(db)
  await forgetChallenges(db, now)
}
