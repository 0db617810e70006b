import type { Role } from '#schema/roles.ts'
import type { FactorWay } from '#schema/wire/wire.ts'
import { relyingPartyOf } from '#server/account/passkey/relying-party.ts'
import type { Config } from '#server/base/config.ts'
import type { Queryable } from '#server/db/query.ts'
import { type OpenedChallenge, openChallenge } from './challenge.ts'
import { stepAfterPassword, waysOf } from './factor-store.ts'

export type OpenedStep = OpenedChallenge & { ways: FactorWay[] }

type Entering = { id: string; role: Role; changedAt: string | null; providerToken?: string | null; now: Date }

/** Opens the second step of a sign-in with its available factors; undefined when the first step is sufficient. */
export async function openStep(
  db: Queryable,
  config: Pick<Config, 'requireSecondFactor' | 'publicUrl'>,
  { id, role, changedAt, providerToken = null, now }: Entering,
): Promise<OpenedStep | undefined> {
  const step = await stepAfterPassword(db, config, { id, role })
  if (!step) return undefined
  const ways = await waysOf(db, { userId: id, step, hasPasskeys: relyingPartyOf(config) !== undefined })
  return { ...(await openChallenge(db, { userId: id, step, changedAt, providerToken, now })), ways }
}
