import type { Work } from '#server/engine/records/resource-rules.ts'
import type { InvitationKind, InvitationRow } from './invitation-mail.ts'

/** The end of an invitation; an expired one may still be sent again. */
export type InvitationEnd = 'accepted' | 'revoked'
/** Effects on the subject of the invitation, in the same transaction; `userId` is the invited person. */
export type InvitationHandler = (
  invitation: InvitationRow & { userId: string },
  work: Pick<Work, 'db' | 'now' | 'audit' | 'changed' | 'afterCommit'>,
) => Promise<void>

const handlers = new Map<string, InvitationHandler>()

/** Registers what accepting an invitation of a kind does. */
export function onAccepted(kind: InvitationKind, handler: InvitationHandler): void {
  handlers.set(`accepted ${kind}`, handler)
}

/** Registers what revoking an invitation of a kind does. */
export function onRevoked(kind: InvitationKind, handler: InvitationHandler): void {
  handlers.set(`revoked ${kind}`, handler)
}

/** Runs what was registered for the end of an invitation. */
export async function invitationClosed(
  row: InvitationRow,
  end: InvitationEnd,
  work: Parameters<InvitationHandler>[1],
): Promise<void> {
  const { userId } = row
  if (userId) await handlers.get(`${end} ${row.kind}`)?.({ ...row, userId }, work)
}
