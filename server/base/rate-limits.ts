import { isIPv6 } from 'node:net'
import { type QueryExecutorProvider as Queryable, sql } from 'kysely'
import { dayMs, hourMs, minuteMs } from '#schema/format/durations.ts'
import { takeLockOf } from './advisory-locks.ts'
import { problem } from './problems.ts'

/** At most `max` attempts within a sliding window, counted in the database across all processes. */
export type Limit = { key: string; max: number; windowMs: number }

/** Rate limits of the contract, each with its key. */
export const limits = {
  // Per address as well: deliberate failures lock out their sender, not the owner.
  account: (email: string, ip: string): Limit => ({
    key: `account:${email} ${addressOf(ip)}`,
    max: 5,
    windowMs: 15 * minuteMs,
  }),
  ownPassword: (userId: string): Limit => ({ key: `own-password:${userId}`, max: 5, windowMs: 15 * minuteMs }),
  // A device that has signed in to the account before is counted apart: nobody else can use up its attempts.
  device: (email: string, device: string): Limit => ({ key: `account:${email} ${device}`, max: 5, windowMs: 15 * minuteMs }),
  // One count for all unknown addresses: a code has only six digits, and the attacker already knows the password.
  code: (userId: string): Limit => ({ key: `code:${userId}`, max: 20, windowMs: hourMs }),
  codeFrom: (userId: string, ip: string): Limit => ({
    key: `code-from:${userId} ${addressOf(ip)}`,
    max: 5,
    windowMs: 15 * minuteMs,
  }),
  address: (ip: string): Limit => ({ key: `address:${addressOf(ip)}`, max: 20, windowMs: 15 * minuteMs }),
  providerAddress: (ip: string): Limit => ({ key: `provider:${addressOf(ip)}`, max: 60, windowMs: 15 * minuteMs }),
  passkeyAddress: (ip: string): Limit => ({ key: `passkey:${addressOf(ip)}`, max: 60, windowMs: 15 * minuteMs }),
  linkAddress: (ip: string): Limit => ({ key: `link:${addressOf(ip)}`, max: 30, windowMs: 15 * minuteMs }),
  restoreAddress: (ip: string): Limit => ({ key: `restore-from:${addressOf(ip)}`, max: 20, windowMs: hourMs }),
  restoreTarget: (email: string): Limit => ({ key: `restore:${email}`, max: 3, windowMs: 10 * minuteMs }),
  restoreAgain: (email: string): Limit => ({ key: `restore-again:${email}`, max: 1, windowMs: 2 * minuteMs }),
  changeEmail: (userId: string): Limit => ({ key: `change-email:${userId}`, max: 3, windowMs: 10 * minuteMs }),
  resendSoon: (id: string): Limit => ({ key: `resend-soon:${id}`, max: 1, windowMs: minuteMs }),
  resendDay: (id: string): Limit => ({ key: `resend-day:${id}`, max: 5, windowMs: dayMs }),
  invitingHour: (userId: string): Limit => ({ key: `inviting:${userId}`, max: 100, windowMs: hourMs }),
  pushTest: (userId: string): Limit => ({ key: `push-test:${userId}`, max: 5, windowMs: minuteMs }),
  // Each leaves an entry in the audit log; a board that lost the answer asks again.
  keyRotation: (boardId: string): Limit => ({ key: `board-key:${boardId}`, max: 6, windowMs: hourMs }),
  exporting: (userId: string): Limit => ({ key: `export:${userId}`, max: 10, windowMs: minuteMs }),
  ownData: (userId: string): Limit => ({ key: `own-data:${userId}`, max: 5, windowMs: hourMs }),
  support: (ip: string): Limit => ({ key: `support:${addressOf(ip)}`, max: 5, windowMs: hourMs }),
} as const satisfies Record<string, (of: string, ip: string) => Limit>

/** IPv6 addresses are counted per /64, which is what one household gets. */
export function addressOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? []
  const before = head.split(':').filter(Boolean)
  const after = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const groups = [...before, ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0'), ...after]
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** An attempt is over when it has failed, or when nobody finished it in its time. */
const isOver = (now: Date) => sql`("openUntil" is null or "openUntil" <= ${now})`

/** Attempts that a limit counts: all of them, or those that are over. */
const counted = { all: () => sql`true`, over: isOver } as const
type Counted = keyof typeof counted

async function waitOf(db: Queryable, { key, max, windowMs }: Limit, now: Date, which: Counted): Promise<number> {
  const recent = await sql<{ at: string }>`select "at" from "loginAttempt" where "key" = ${key} and ${counted[which](now)}
    and "at" > ${new Date(now.getTime() - windowMs)} order by "at" desc limit ${max}`.execute(db)
  const oldest = recent.rows[max - 1]
  return oldest ? Math.max(1, Math.ceil((Date.parse(oldest.at) + windowMs - now.getTime()) / 1000)) : 0
}

const longest = async (db: Queryable, asked: readonly Limit[], now: Date, which: Counted): Promise<number> => {
  let wait = 0
  for (const limit of asked) wait = Math.max(wait, await waitOf(db, limit, now, which))
  return wait
}

/** Seconds until the limits allow another attempt, whatever becomes of those under way; 0 = now. Counts nothing. */
export const waitFor = (db: Queryable, asked: readonly Limit[], now: Date): Promise<number> => longest(db, asked, now, 'over')

/**
 * Counts one attempt under every limit, or returns the seconds to wait. Requires a transaction: it takes a lock per key, so
 * that concurrent attempts are counted one after the other. `openUntil`: the attempt is under way until then.
 */
export async function takeAttempt(
  db: Queryable,
  asked: readonly Limit[],
  now: Date,
  openUntil: Date | null = null,
): Promise<{ waitS: number; ids: number[] }> {
  const keys = asked.map(({ key }) => key).toSorted()
  for (const key of keys) await takeLockOf(db, 'thing', key)
  const waitS = await longest(db, asked, now, 'all')
  if (waitS > 0) return { waitS, ids: [] }
  const ids: number[] = []
  for (const { key, windowMs } of asked) {
    await sql`delete from "loginAttempt" where "key" = ${key} and "at" <= ${new Date(now.getTime() - windowMs)}`.execute(db)
    const made = await sql<{
      id: number
    }>`insert into "loginAttempt" ("key", "at", "openUntil") values (${key}, ${now}, ${openUntil})
      returning "id"`.execute(db)
    ids.push(...made.rows.map(({ id }) => id))
  }
  return { waitS: 0, ids }
}

type Counting = { db: Queryable; now: Date; afterRollback: (task: (db: Queryable) => Promise<unknown>) => void }

/**
 * Counts an attempt in its own transaction, and once more if the caller's transaction is rolled back, so that refused attempts
 * count. Throws 429.
 */
export async function countAttempt({ db, now, afterRollback }: Counting, asked: readonly Limit[]): Promise<void> {
  const { waitS } = await takeAttempt(db, asked, now)
  if (waitS > 0) throw problem('too-many', { retryAfterS: waitS })
  afterRollback((own) => takeAttempt(own, asked, now))
}

const failureKey = (email: string) => `failures:${email}`

/** Failed sign-ins to an account within the last hour, from all addresses. */
export async function failuresOf(db: Queryable, email: string, now: Date): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*) as "count" from "loginAttempt" where "key" = ${failureKey(email)}
    and "at" > ${new Date(now.getTime() - 60 * minuteMs)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Counts a failure and returns the new number. */
export async function addFailure(db: Queryable, email: string, now: Date): Promise<number> {
  await sql`insert into "loginAttempt" ("key", "at") values (${failureKey(email)}, ${now})`.execute(db)
  return failuresOf(db, email, now)
}

/** Resets the failures of an account after a successful sign-in. */
export async function forgiveAccount(db: Queryable, email: string): Promise<void> {
  await sql`delete from "loginAttempt" where "key" = ${failureKey(email)} or starts_with("key", ${`account:${email} `})`.execute(
    db,
  )
}

/** Erases what is counted of a person: the keys of one person alone begin with the e-mail or the id. */
export async function erasePersonAttempts(db: Queryable, { id, email }: { id: string; email: string }): Promise<void> {
  await sql`delete from "loginAttempt" where split_part(split_part("key", ':', 2), ' ', 1) in (${id}, ${email})`.execute(db)
}

/** Removes attempts that succeeded, and with `failed` all attempts counted under its key that are over. */
export async function forgetAttempts(
  db: Queryable,
  ids: readonly number[],
  failed?: { limit: Limit; now: Date },
): Promise<void> {
  const others = failed ? sql`("key" = ${failed.limit.key} and ${isOver(failed.now)})` : sql`false`
  await sql`delete from "loginAttempt" where "id" = any(${sql.val([...ids])}::bigint[]) or ${others}`.execute(db)
}

/** Marks attempts as over: they have failed. */
export async function endAttempts(db: Queryable, ids: readonly number[]): Promise<void> {
  await sql`update "loginAttempt" set "openUntil" = null where "id" = any(${sql.val([...ids])}::bigint[])`.execute(db)
}
