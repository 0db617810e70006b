import { accountProblem } from '#server/account/problems.ts'
import { signOutEverywhere } from '#server/account/session/sign-out.ts'
import { guardRank, guardSelf } from '#server/account/user-guards.ts'
import { personById } from '#server/account/user-store.ts'
import { problem } from '#server/base/problems.ts'
import type { ActionCall } from '#server/engine/records/resource-rules.ts'
import { notifyFactorChange } from './factor-routes.ts'
import { removeFactors } from './factor-store.ts'

/** Removes the second factor of a user who has lost it, and notifies the user by mail. */
export async function resetFactor({ id, work }: ActionCall): Promise<void> {
  const person = await personById(work.db, id)
  if (!person) throw problem('not-found')
  guardRank(work, person.role)
  guardSelf(work, id)
  if (!(await removeFactors(work.db, id))) throw accountProblem('second-factor.absent')
  await signOutEverywhere(work, id, 'second factor reset')
  notifyFactorChange(work, person, 'factor-reset')
}
