import { sql } from 'kysely'
import type { Role } from '#schema/roles.ts'
import type { ServerReason } from '#schema/server-reasons.ts'
import { revokeInvitations } from '#server/account/invitation.ts'
import { onRoleChanged } from '#server/account/role/change-role.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { essRelations, isBeforeHandover } from '#server/fleet/shared/ess-relations.ts'
import { resourceOf } from '#server/fleet/shared/relations.ts'
import { tellPeople } from './tell-people.ts'

export type Kind = {
  table: 'guest' | 'service_engineer'
  invitation: 'GUEST' | 'SERVICE_ENGINEER'
  role: Role
  most?: number
  /** The person sees the system by this relation only. */
  isAccess?: true
}
export const guests: Kind = { table: 'guest', invitation: 'GUEST', role: essRelations.guest.role, most: 20, isAccess: true }
export const engineers: Kind = {
  table: 'service_engineer',
  invitation: 'SERVICE_ENGINEER',
  role: essRelations.service_engineer.role,
}
export const kinds = [guests, engineers]

export type Relation = { id: string; userId: string; version: number }
export type Announcing = Pick<Work, 'changed'> & { db: Queryable }

export const tell = (kind: Kind, { id, version }: Relation, { changed }: Announcing): void =>
  changed({ resource: resourceOf(kind.table), id, version, type: 'updated' })

/** `essId`, `userId`: relations of one system, of one user, or the one of both. `stays`: a user who sees the ESS without a relation. */
type End = { by: string | null; now: Date; stays?: unknown } & (
  | { essId: string; userId?: unknown }
  | { essId?: undefined; userId: string }
)
type Ended = Relation & { essId: string; code: string | null; was: string }

/** Ends live relations. */
export async function endRelations(kind: Kind, { essId, userId, by, now, stays }: End, work: Announcing): Promise<Ended[]> {
  const ofSystem = essId === undefined ? sql`` : sql`and "essId" = ${essId}`
  const ofUser = userId === undefined ? sql`` : sql`and "userId" = ${userId}`
  const ended = await rowsOf(
    work.db,
    sql<Ended>`with "old" as (select "id", "state" from ${sql.table(kind.table)}
        where "state" in ('INVITED', 'ACTIVE') ${ofSystem} ${ofUser} for update)
      update ${sql.table(kind.table)} "r" set "state" = 'REVOKED', "version" = "version" + 1, "updatedAt" = ${now}, "updatedBy" = ${by}
      from "old" "o" where "r"."id" = "o"."id" returning "r"."id", "r"."userId", "r"."essId", "r"."version", "o"."state" as "was",
        (select "code" from "ess" where "id" = "r"."essId") as "code"`,
  )
  for (const row of ended) tell(kind, row, work)
  const lost = ended.filter((row) => kind.isAccess && row.was === 'ACTIVE' && row.userId !== stays)
  await tellPeople(lost, 'deleted', work)
  return ended
}

type Left = { id: string; code: string | null; version: number }
const reason: ServerReason = 'role-changed'

/** An installer leaves the systems that are not handed over; those after it keep who has installed them, which opens nothing. */
async function leaveWorks(userId: string, work: Work): Promise<void> {
  const { db, now, caller, changed, auditAll } = work
  const left = await rowsOf(
    db,
    sql<Left>`update "ess" "r" set "installerId" = null, "version" = "version" + 1, "updatedAt" = ${now}, "updatedBy" = ${caller.userId}
      where "installerId" = ${userId} and ${isBeforeHandover} returning "id", "code", "version"`,
  )
  for (const { id, version } of left) changed({ resource: 'ess', id, version, type: 'updated' })
  await tellPeople(
    left.map(({ id }) => ({ essId: id, userId })),
    'deleted',
    work,
  )
  await auditAll(
    left.map(({ id, code }) => ({
      action: 'update',
      entityType: 'ess',
      entityId: id,
      ...(code === null ? {} : { code }),
      before: { installerId: userId },
      after: { installerId: null },
      reason,
    })),
  )
}

// The owner is none of these: a client who owns a system stays a client.
onRoleChanged(async ({ userId, role }, work) => {
  for (const kind of kinds.filter((one) => one.role !== role)) {
    const ended = await endRelations(kind, { userId, by: work.caller.userId, now: work.now }, work)
    await revokeInvitations({ userId, kind: kind.invitation }, work)
    await work.auditAll(
      ended.map(({ essId, code }) => ({
        action: 'end-access',
        entityType: 'ess',
        entityId: essId,
        ...(code === null ? {} : { code }),
        after: { userId },
        reason,
      })),
    )
  }
  if (role !== essRelations.installer.role) await leaveWorks(userId, work)
})
