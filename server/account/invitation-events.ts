import type { Work } from '#server/engine/records/resource-rules.ts'
import type { InvitationKind, InvitationRow } from './invitation-mail.ts'

/** How an invitation ended; an expired one can still be resent. */
export type InvitationEnd = 'accepted' | 'revoked'
/** Runs in the same transaction; `userId` is the invited user. */
export type InvitationHandler = (
  invitation: InvitationRow & { userId: string },
  work: Pick<Work, 'db' | 'now' | 'audit' | 'changed' | 'afterCommit'>,
) => Promise<void>

const handlers = new Map<string, InvitationHandler>()

/** Registers the effect of accepting an invitation of a kind. */
export function onAccepted(kind: InvitationKind, handler: InvitationHandler): void {
  handlers.set(`accepted ${kind}`, handler)
}

/** Registers the effect of revoking an invitation of a kind. */
export function onRevoked(kind: InvitationKind, handler: InvitationHandler): void {
  handlers.set(`revoked ${kind}`, handler)
}

/** Runs the registered effects of an ended invitation. */
export async function invitationClosed(
  row: InvitationRow,
  end: InvitationEnd,
  work: Parameters<InvitationHandler>[1],
): Promise<void> {
  const { userId } = row
  if (userId) await handlers.get(`${end} ${row.kind}`)?.({ ...row, userId }, work)
}
