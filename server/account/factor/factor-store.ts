import { type RawBuilder, sql } from 'kysely'
import type { Role } from '#schema/roles.ts'
import type { FactorWay } from '#schema/wire/wire.ts'
import type { Config } from '#server/base/config.ts'
import { type VaultConfig, vaultOf } from '#server/base/secret-vault.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import type { ChallengeStep } from './challenge.ts'
import { renewRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts'
import { newSecret, stepOf, uriOf } from './totp.ts'

/** Kinds of second factors. */
export type FactorKind = 'totp' | 'recovery' | 'passkey'
export type FactorState = { totpAt: string | null; passkeyCount: number; recoveryLeft: number }
export type Enrolment = { secret: string; uri: string }

export const isRequired = ({ requireSecondFactor }: Pick<Config, 'requireSecondFactor'>, role: Role): boolean =>
  requireSecondFactor.includes(role)

/** SQL condition: the user has a second factor. */
export const isFactor = (userId: RawBuilder<unknown>) =>
  sql<boolean>`(exists (select from "totp" f where f."userId" = ${userId} and f."confirmedAt" is not null)
    or exists (select from "passkey" p where p."userId" = ${userId}))`

export async function factorsOf(db: Queryable, userId: string): Promise<FactorState> {
  const row = await rowOf(
    db,
    sql<FactorState>`select (select "confirmedAt" from "totp" where "userId" = ${userId}) as "totpAt",
      (select count(*)::int4 from "passkey" where "userId" = ${userId}) as "passkeyCount",
      (select count(*) from "recoveryCode" where "userId" = ${userId} and "usedAt" is null) as "recoveryLeft"`,
  )
  return row ?? { totpAt: null, passkeyCount: 0, recoveryLeft: 0 }
}

export const hasFactor = ({ totpAt, passkeyCount }: FactorState): boolean => totpAt !== null || passkeyCount > 0

/** Recovery codes are created with the first factor; existing ones stay unchanged. */
export const codesWithFirst = async (db: Queryable, userId: string, before: FactorState): Promise<string[]> =>
  hasFactor(before) ? [] : renewRecoveryCodes(db, userId)

/** The step after a correct password; undefined when the password is sufficient. */
export async function stepAfterPassword(
  db: Queryable,
  config: Pick<Config, 'requireSecondFactor'>,
  { id, role }: { id: string; role: Role },
): Promise<ChallengeStep | undefined> {
  if (hasFactor(await factorsOf(db, id))) return 'code'
  return isRequired(config, role) ? 'enrol' : undefined
}

/** Factors offered in a sign-in step: existing ones, or those that can be set up. */
export async function waysOf(
  db: Queryable,
  { userId, step, hasPasskeys }: { userId: string; step: ChallengeStep; hasPasskeys: boolean },
): Promise<FactorWay[]> {
  const { totpAt, passkeyCount } = await factorsOf(db, userId)
  const isNew = step === 'enrol'
  return [
    ...(isNew || totpAt !== null ? (['app'] as const) : []),
    ...(hasPasskeys && (isNew || passkeyCount > 0) ? (['passkey'] as const) : []),
  ]
}

/** Starts an enrolment and replaces an unfinished one. Undefined when there is a confirmed secret. */
export async function beginTotp(
  db: Queryable,
  { userId, email, now, config }: { userId: string; email: string; now: Date; config: VaultConfig },
): Promise<Enrolment | undefined> {
  const secret = newSecret()
  const begun = await rowOf(
    db,
    sql`insert into "totp" ("userId", "secret", "createdAt") values (${userId}, ${vaultOf(config).seal(secret, userId)}, ${now})
      on conflict ("userId") do update set "secret" = excluded."secret", "createdAt" = excluded."createdAt", "lastStep" = null
      where "totp"."confirmedAt" is null returning 1`,
  )
  return begun ? { secret, uri: uriOf(secret, email) } : undefined
}

type Proof = { userId: string; code: string; now: Date; config: VaultConfig }

/** Accepts a TOTP code once: a code of the last period or an earlier one is a replay. */
async function takeCode(db: Queryable, { userId, code, now, config }: Proof, confirmed: boolean): Promise<boolean> {
  const state = confirmed ? sql`"confirmedAt" is not null` : sql`"confirmedAt" is null`
  const row = await rowOf(
    db,
    sql<{ secret: string }>`select "secret" from "totp" where "userId" = ${userId} and ${state} for update`,
  )
  const secret = row && vaultOf(config).open(row.secret, userId)
  const step = secret === undefined ? undefined : stepOf(secret, code, now)
  if (step === undefined) return false
  const taken = await rowOf(
    db,
    sql`update "totp" set "lastStep" = ${step}, "confirmedAt" = coalesce("confirmedAt", ${now})
      where "userId" = ${userId} and ("lastStep" is null or "lastStep" < ${step}) returning 1`,
  )
  return taken !== undefined
}

/** Completes an enrolment by the app's first code. */
export const confirmTotp = (db: Queryable, proof: Proof): Promise<boolean> => takeCode(db, proof, false)

const withoutSpaces = (code: string): string => code.replace(/\s/g, '')

/** True for a code of an app; anything else is treated as a recovery code. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(withoutSpaces(code))

/** Verifies and uses up a typed code; returns its factor, undefined for a wrong or used one. */
export async function proveFactor(db: Queryable, { userId, code, now, config }: Proof): Promise<FactorKind | undefined> {
  const typed = withoutSpaces(code)
  if (isAppCode(typed)) return (await takeCode(db, { userId, code: typed, now, config }, true)) ? 'totp' : undefined
  return (await spendRecoveryCode(db, { userId, code: typed, now })) ? 'recovery' : undefined
}

/** Removes a user's app; false when there was none. */
export const removeTotp = async (db: Queryable, userId: string): Promise<boolean> =>
  (await rowOf(db, sql`delete from "totp" where "userId" = ${userId} and "confirmedAt" is not null returning 1`)) !== undefined

/** True when the last factor was removed. Recovery codes only back up a factor, so they are deleted with it. */
export async function clearAfterLast(db: Queryable, userId: string): Promise<boolean> {
  const isLast = !hasFactor(await factorsOf(db, userId))
  if (isLast) await removeFactors(db, userId)
  return isLast
}

/** Removes all second factors of a user; false when there was none. */
export async function removeFactors(db: Queryable, userId: string): Promise<boolean> {
  const had = hasFactor(await factorsOf(db, userId))
  for (const table of ['totp', 'passkey', 'recoveryCode', 'challenge'])
    await sql`delete from ${sql.table(table)} where "userId" = ${userId}`.execute(db)
  return had
}
