import type { Role } from '#schema/roles.ts'
import { signOutEverywhere } from '#server/account/session/sign-out.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'

/** A user whose new role is written; the row is locked against whoever gives the user something for the former role. */
export type RoleChange = { userId: string; role: Role }
type Handler = (change: RoleChange, work: Work) => Promise<void>

const handlers: Handler[] = []

/** Registers what ends with a role: rights of a subject that this room knows nothing of. */
export const onRoleChanged = (handler: Handler): void => void handlers.push(handler)

/** Effects of another role, in the transaction that writes it: the same in the console and by the sign-in provider. */
export async function roleChanged(work: Work, change: RoleChange): Promise<void> {
  for (const handler of handlers) await handler(change, work)
  await signOutEverywhere(work, change.userId, 'role changed')
}
