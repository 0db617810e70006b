import { sql } from 'kysely'
import type { ServerReason } from '#schema/server-reasons.ts'
import { type Person, personByEmail, personById } from '#server/account/user-store.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { verifiedEmail } from './claims.ts'
import type { Claims } from './exchange.ts'

/** Reasons to refuse a user authenticated by the provider. */
export type Refusal = Extract<ServerReason, `oidc.${string}` | 'user.deleted' | 'user.locked'>
type Link = { userId: string; issuer: string; subject: string }

export const linkOf = (db: Queryable, userId: string): Promise<Link | undefined> =>
  rowOf(db, sql<Link>`select "userId", "issuer", "subject" from "oidcSubject" where "userId" = ${userId}`)

const isOf = (link: Link, { issuer, subject }: Claims): boolean => link.issuer === issuer && link.subject === subject

/** True when the user is linked with this account of the provider. */
export async function isLinkedWith(db: Queryable, userId: string, claims: Claims): Promise<boolean> {
  const link = await linkOf(db, userId)
  return link !== undefined && isOf(link, claims)
}

/** True for a complete account, or one with an open invitation. */
async function isInvited(db: Queryable, { id, isComplete }: Person): Promise<boolean> {
  if (isComplete) return true
  const open = await rowOf(
    db,
    sql`select 1 from "invitation" where "userId" = ${id} and "kind" <> 'EMAIL_CHANGE' and "state" in ('PENDING', 'EXPIRED')`,
  )
  return open !== undefined
}

type Found = { person: Person; refusal?: undefined } | { person?: Person | undefined; refusal: Refusal }

/**
 * The account behind claims: by subject, else by verified e-mail. An already linked account is not matched by e-mail, because
 * the provider may reassign an address.
 */
export async function accountOf(db: Queryable, claims: Claims): Promise<Found> {
  const { issuer, subject } = claims
  const linked = await rowOf(
    db,
    sql<{ userId: string }>`select "userId" from "oidcSubject" where "issuer" = ${issuer} and "subject" = ${subject}`,
  )
  if (linked) {
    const person = await personById(db, linked.userId)
    return person ? { person } : { refusal: 'oidc.uninvited' }
  }
  const email = verifiedEmail(claims)
  if (email === undefined) return { refusal: 'oidc.email-unverified' }
  const person = await personByEmail(db, email)
  if (!person) return { refusal: 'oidc.uninvited' }
  const link = await linkOf(db, person.id)
  if (link?.issuer === issuer) return { person, refusal: 'oidc.other-account' }
  return (await isInvited(db, person)) ? { person } : { person, refusal: 'oidc.uninvited' }
}

/** Links an account with the matched subject; replaces a link to a former provider. */
export async function link(
  db: Queryable,
  { person, claims, now }: { person: Person; claims: Claims; now: Date },
): Promise<void> {
  const { issuer, subject } = claims
  await sql`insert into "oidcSubject" ("userId", "issuer", "subject", "linkedAt", "lastUsedAt")
    values (${person.id}, ${issuer}, ${subject}, ${now}, ${now})
    on conflict ("userId") do update set "lastUsedAt" = excluded."lastUsedAt", "issuer" = excluded."issuer",
      "subject" = excluded."subject", "linkedAt" = case when "oidcSubject"."subject" = excluded."subject"
        and "oidcSubject"."issuer" = excluded."issuer" then "oidcSubject"."linkedAt" else excluded."linkedAt" end`.execute(db)
}
