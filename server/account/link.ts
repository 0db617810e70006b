import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { restoreDays } from '#resources/shared/people.ts'
import { dayMs, hourMs } from '#schema/format/durations.ts'
import { problem } from '#server/base/problems.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { hashToken, newToken } from './session/token.ts'

/** Purpose of a mailed link; it is valid for this purpose only. */
export type LinkKind = 'ACCOUNT' | 'GUEST' | 'SERVICE_ENGINEER' | 'EMAIL_CHANGE' | 'RESTORE' | 'CANCEL_DELETE'

/** Lifetime of a link in milliseconds; CANCEL_DELETE lives until the account is erased. */
export const linkLifeMs = {
  ACCOUNT: 7 * dayMs,
  GUEST: 7 * dayMs,
  SERVICE_ENGINEER: 7 * dayMs,
  EMAIL_CHANGE: dayMs,
  RESTORE: hourMs,
  CANCEL_DELETE: restoreDays * dayMs,
} as const satisfies Record<LinkKind, number>

export type Link = { id: string; kind: LinkKind; userId: string; email: string | null; invitationId: string | null }
type NewLink = { kind: LinkKind; userId: string; email?: string; invitationId?: string; now: Date; expiresAt: Date }

/** Creates a link and returns its token, of which only the hash is stored. Older links of the same purpose become invalid. */
export async function createLink(db: Queryable, asked: NewLink): Promise<string> {
  const { kind, userId, email = null, invitationId = null, now, expiresAt } = asked
  const token = newToken()
  // One link per invitation; other purposes have one per user.
  const same = invitationId ? sql`"invitationId" = ${invitationId}` : sql`"userId" = ${userId}`
  await sql`update "link" set "usedAt" = ${now} where "kind" = ${kind} and "usedAt" is null and ${same}`.execute(db)
  await sql`insert into "link" ("id", "kind", "tokenHash", "userId", "email", "invitationId", "expiresAt", "createdAt")
    values (${uuidv7()}, ${kind}, ${hashToken(token)}, ${userId}, ${email}, ${invitationId}, ${expiresAt}, ${now})`.execute(db)
  return token
}

type Presented = { token: string; kinds: readonly LinkKind[]; now: Date }
const usable = ({ token, kinds, now }: Presented) =>
  sql`"tokenHash" = ${hashToken(token)} and "kind" = any(${sql.val([...kinds])}::text[]) and "usedAt" is null and "expiresAt" > ${now}`
const columns = sql.raw('"id", "kind", "userId", "email", "invitationId"')

/** Reads a link without using it up. Unknown, used, expired and mismatched ones all give the same 410. */
export async function peekLink(db: Queryable, presented: Presented): Promise<Link> {
  const link = await rowOf(db, sql<Link>`select ${columns} from "link" where ${usable(presented)}`)
  if (!link) throw problem('link.dead')
  return link
}

/** Uses up a link, effective on commit. Of concurrent calls one succeeds, the others get 410. */
export async function consumeLink(db: Queryable, presented: Presented): Promise<Link> {
  const link = await rowOf(
    db,
    sql<Link>`update "link" set "usedAt" = ${presented.now} where ${usable(presented)} returning ${columns}`,
  )
  if (!link) throw problem('link.dead')
  return link
}

/** Voids a user's open links of some purposes, or those of one invitation. */
export async function voidLinks(
  db: Queryable,
  { userId, invitationId, kinds, now }: { userId?: string; invitationId?: string; kinds?: readonly LinkKind[]; now: Date },
): Promise<void> {
  const whose = invitationId ? sql`"invitationId" = ${invitationId}` : sql`"userId" = ${userId ?? ''}`
  const which = kinds ? sql`and "kind" = any(${sql.val([...kinds])}::text[])` : sql``
  await sql`update "link" set "usedAt" = ${now} where "usedAt" is null and ${whose} ${which}`.execute(db)
}
