import { sql } from 'kysely'
import type { Role } from '#schema/roles.ts'
import type { ServerReason } from '#schema/server-reasons.ts'
import { roleChanged } from '#server/account/role/change-role.ts'
import { guardLastAdmin } from '#server/account/user-guards.ts'
import { changePerson, type Person } from '#server/account/user-store.ts'
import { Problem } from '#server/base/problems.ts'
import { rowOf } from '#server/db/query.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'

type RoleRefusal = Extract<ServerReason, 'user.last-admin' | 'user.owns-systems'>

/** The console's guards for role changes also apply to the provider. */
async function refusalOf(work: Work, { id, role }: Person): Promise<RoleRefusal | undefined> {
  try {
    await guardLastAdmin(work, { id, role })
  } catch (error) {
    if (error instanceof Problem) return 'user.last-admin'
    throw error
  }
  if (role !== 'client') return undefined
  const owned = await rowOf(work.db, sql`select 1 from "ess" where "ownerId" = ${id} limit 1`)
  return owned ? 'user.owns-systems' : undefined
}

/** Sets a user's role from the provider's claims; sessions with the former role end. Undefined on success. */
export async function takeRole(work: Work, person: Person, role: Role): Promise<RoleRefusal | undefined> {
  if (role === person.role) return undefined
  const refusal = await refusalOf(work, person)
  if (refusal) return refusal
  await changePerson(work, { id: person.id, by: person.id, set: { role } })
  await roleChanged(work, { userId: person.id, role })
  await work.audit({
    action: 'update',
    entityType: 'user',
    entityId: person.id,
    code: person.email,
    before: { role: person.role },
    after: { role },
    reason: 'oidc' satisfies ServerReason,
  })
  return undefined
}
