import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { hashToken } from './token.ts'

/** Browsers that people have signed in on, by the hash of a random token that each keeps. */
export const signInDeviceTable = `
create table "signInDevice" (
  "userId" text not null,
  "hash" text not null,
  "usedAt" timestamptz(3) not null,
  primary key ("userId", "hash")
);
create index "signInDevice_usedAt_ix" on "signInDevice" ("usedAt");
`

const knownForMs = 90 * dayMs
/** The latest of a person; a script that signs in under ever new tokens does not fill the table. */
const mostKept = 20

const pattern = /^[0-9a-f]{64}$/

/** Hash of the token in `X-Sign-In-Device`; undefined without a usable one. */
export function signInDeviceOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const token = headers['x-sign-in-device']
  return typeof token === 'string' && pattern.test(token) ? hashToken(token) : undefined
}

/** True when a person has signed in to this account on the device. */
export async function isKnownDevice(
  db: Queryable,
  { email, device, now }: { email: string; device: string | undefined; now: Date },
): Promise<boolean> {
  if (device === undefined) return false
  const found = await rowOf(
    db,
    sql`select 1 from "signInDevice" "d" join "user" "u" on "u"."id" = "d"."userId"
      where "d"."hash" = ${device} and "u"."email" = ${email} and "d"."usedAt" > ${new Date(now.getTime() - knownForMs)}`,
  )
  return found !== undefined
}

/** Remembers the device of a complete sign-in. */
export async function recordDevice(
  db: Queryable,
  { userId, device, now }: { userId: string; device: string; now: Date },
): Promise<void> {
  await sql`insert into "signInDevice" ("userId", "hash", "usedAt") values (${userId}, ${device}, ${now})
    on conflict ("userId", "hash") do update set "usedAt" = excluded."usedAt"`.execute(db)
  await sql`delete from "signInDevice" where "userId" = ${userId} and "hash" in (
    select "hash" from "signInDevice" where "userId" = ${userId} order by "usedAt" desc, "hash" offset ${mostKept})`.execute(db)
}

/** With a new password: another person may have signed in by the former one. */
export const forgetDevicesOf = (db: Queryable, userId: string) =>
  sql`delete from "signInDevice" where "userId" = ${userId}`.execute(db)

export const forgetDevices = (db: Queryable, now: Date) =>
  sql`delete from "signInDevice" where "usedAt" <= ${new Date(now.getTime() - knownForMs)}`.execute(db)
