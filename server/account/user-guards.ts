import { sql } from 'kysely'
import { staff } from '#schema/roles.ts'
import { takeLock } from '#server/base/advisory-locks.ts'
import { problem } from '#server/base/problems.ts'
import { rowOf } from '#server/db/query.ts'
import { requireFresh } from '#server/engine/records/fresh-confirmation.ts'
import type { ResourceRules, Row, Work } from '#server/engine/records/resource-rules.ts'
import { canSignIn } from './can-sign-in.ts'

/** Roles that a moderator can neither assign nor modify. */
const above: ReadonlySet<unknown> = new Set(staff)

/** A moderator manages installers, clients and service engineers only; an admin manages everyone. */
export function guardRank({ caller }: Pick<Work, 'caller'>, role: unknown): void {
  if (caller.role !== 'admin' && above.has(role)) throw problem('user.above')
}

/** The same rule as SQL over the user "t". */
export const governs: NonNullable<ResourceRules['forCaller']> = (caller) => {
  if (caller?.role !== 'admin' && caller?.role !== 'moderator') return { governed: sql`null` }
  const others = sql<boolean>`"t"."id" <> ${caller.userId}`
  const below = sql`${others} and "t"."role" not in (${sql.join([...above].map((role) => sql.lit(role)))})`
  return { governed: caller.role === 'admin' ? others : below }
}

/** Step-up authentication of who brings anybody but a client into the console, whatever call does so. */
export async function guardEntry({ db, caller, now, config }: Work, role: unknown): Promise<void> {
  if (role !== 'client') await requireFresh(db, caller, { now, minutes: config.confirmAfterMin })
}

export function guardSelf({ caller }: Pick<Work, 'caller'>, id: unknown): void {
  if (caller.userId === id) throw problem('user.self')
}

/**
 * Refuses to remove the last admin who can sign in. Two admins who remove each other concurrently are serialised here, and the
 * second is no longer an admin: so the caller is rechecked, too.
 */
export async function guardLastAdmin({ db, caller }: Pick<Work, 'db' | 'caller'>, current: Row): Promise<void> {
  if (current.role !== 'admin') return
  await takeLock(db, 'lastAdmin')
  const left = await rowOf(
    db,
    sql<{ others: number; caller: boolean | null }>`
      select count(*) filter (where u."id" <> ${current.id}) as "others", bool_or(u."id" = ${caller.userId}) as "caller"
      from "user" u where ${canSignIn(sql`u."id"`)} and u."role" = 'admin' and u."lockedAt" is null and u."deletedAt" is null`,
  )
  if (!left?.caller) throw problem('forbidden')
  if (left.others === 0) throw problem('user.last-admin')
}

/** Checks before a user is locked or deleted. */
export async function guardRemoval(work: Pick<Work, 'db' | 'caller'>, current: Row): Promise<void> {
  guardRank(work, current.role)
  guardSelf(work, current.id)
  await guardLastAdmin(work, current)
}
