import { sql } from 'kysely'
import type { Role } from '#schema/roles.ts'
import type { Mail } from '#server/base/mail.ts'
import { problem } from '#server/base/problems.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { createLink, linkLifeMs } from './link.ts'
import { momentText, nameOf, type Person } from './user-store.ts'

export type InvitationKind = 'ACCOUNT' | 'GUEST' | 'SERVICE_ENGINEER' | 'EMAIL_CHANGE'
export type InvitationRow = {
  id: string
  version: number
  kind: InvitationKind
  email: string
  userId: string | null
  essId: string | null
  role: Role | null
  state: 'PENDING' | 'ACCEPTED' | 'EXPIRED' | 'REVOKED'
  sentAt: string | null
  sentCount: number
  expiresAt: string | null
  invitedBy: string | null
}

const templates = {
  ACCOUNT: 'register',
  GUEST: 'invite-guest',
  SERVICE_ENGINEER: 'invite-engineer',
  EMAIL_CHANGE: 'change-email',
} as const satisfies Record<InvitationKind, Mail['template']>

async function codeOf(db: Queryable, essId: string | null): Promise<string> {
  if (!essId) return ''
  const ess = await rowOf(db, sql<{ code: string }>`select "code" from "ess" where "id" = ${essId}`)
  return ess?.code ?? ''
}

/** Creates a new link for an invitation, voids older ones, records the sending and mails it after the commit. */
export async function sendInvitation(
  work: Pick<Work, 'db' | 'now' | 'caller' | 'language' | 'mail'>,
  { invitationId, person, isTaken }: { invitationId: string; person: Person; isTaken?: boolean | undefined },
): Promise<InvitationRow> {
  const { db, now, caller } = work
  const kind = await rowOf(db, sql<{ kind: InvitationKind }>`select "kind" from "invitation" where "id" = ${invitationId}`)
  if (!kind) throw problem('not-found')
  const expiresAt = new Date(now.getTime() + linkLifeMs[kind.kind])
  const row = await rowOf(
    db,
    sql<InvitationRow>`update "invitation" set "state" = 'PENDING', "delivery" = 'QUEUED', "sentAt" = ${now},
        "sentCount" = coalesce("sentCount", 0) + 1, "expiresAt" = ${expiresAt}, "updatedAt" = ${now}, "updatedBy" = ${caller.userId},
        "version" = "version" + (case when "sentAt" is null then 0 else 1 end)
      where "id" = ${invitationId} returning *`,
  )
  if (!row) throw problem('not-found')
  const token = await createLink(db, { kind: row.kind, userId: person.id, email: row.email, invitationId, now, expiresAt })
  const mail = { to: row.email, language: person.language ?? work.language, invitationId }
  const values = { name: nameOf(person), email: row.email, code: await codeOf(db, row.essId), until: momentText(expiresAt) }
  if (isTaken) work.mail({ ...mail, template: 'change-email-taken', values: { email: row.email } })
  else work.mail({ ...mail, template: templates[row.kind], values, token })
  return row
}
