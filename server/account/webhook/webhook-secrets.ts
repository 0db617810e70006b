import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { dayMs } from '#schema/format/durations.ts'
import { type VaultConfig, vaultOf } from '#server/base/secret-vault.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'

/** The former secret still signs for this time after a rotation. */
export const overlapMs = dayMs
const prefix = 'whsec_'
const secretBytes = 32

type Owner = { webhookId: string; now: Date; config: VaultConfig }

/** Rotates a webhook's secret and returns the new one; it cannot be read again. The former one expires a day later. */
export async function makeSecret(db: Queryable, { webhookId, now, config }: Owner): Promise<string> {
  const secret = `${prefix}${randomBytes(secretBytes).toString('base64')}`
  const id = uuidv7()
  const until = new Date(now.getTime() + overlapMs)
  await sql`delete from "webhookSecret" where "webhookId" = ${webhookId} and "until" <= ${now}`.execute(db)
  await sql`update "webhookSecret" set "until" = ${until} where "webhookId" = ${webhookId} and "until" is null`.execute(db)
  await sql`insert into "webhookSecret" ("id", "webhookId", "secret", "createdAt")
    values (${id}, ${webhookId}, ${vaultOf(config).seal(secret, webhookId)}, ${now})`.execute(db)
  return secret
}

/** Current signing secrets, newest first; ones that no available key decrypts are omitted. */
export async function secretsOf(db: Queryable, { webhookId, now, config }: Owner): Promise<string[]> {
  const rows = await rowsOf(
    db,
    sql<{ secret: string }>`select "secret" from "webhookSecret" where "webhookId" = ${webhookId}
      and ("until" is null or "until" > ${now}) order by "until" desc nulls first, "createdAt" desc`,
  )
  const vault = vaultOf(config)
  return rows.flatMap(({ secret }) => vault.open(secret, webhookId) ?? [])
}

export const signingKeyOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64')
