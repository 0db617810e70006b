import { sql } from 'kysely'
import type { ServerContext } from '#server/base/context.ts'
import { rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { vaultOf } from './secret-vault.ts'

type Stored = { userId: string; secret: string }

/**
 * Seals secrets of authenticator apps that an earlier release, or another key, has left behind. The log tells of those that no key
 * here opens, and of a server without a key.
 */
export async function sealSecrets({ config, database, log }: ServerContext): Promise<void> {
  const { lost, readable } = await inTransaction(database, async (db) => {
    const rows = await rowsOf(db, sql<Stored>`select "userId", "secret" from "totp" order by "userId" for update`)
    if (rows.length === 0) return { lost: 0, readable: 0 }
    const vault = vaultOf(config)
    const old = rows.filter(({ secret }) => !vault.isCurrent(secret))
    const opened = old.map(({ userId, secret }) => ({ userId, text: vault.open(secret, userId) }))
    for (const { userId, text } of opened) {
      if (text === undefined) continue
      await sql`update "totp" set "secret" = ${vault.seal(text, userId)} where "userId" = ${userId}`.execute(db)
    }
    const readable = vault.seals ? 0 : rows.length - old.length
    return { lost: opened.filter(({ text }) => text === undefined).length, readable }
  })
  if (readable > 0)
    log.warn({ people: readable }, 'secrets of authenticator apps are readable in the database: set SECRETS_KEY')
  if (lost > 0)
    log.error(
      { people: lost },
      'secrets of authenticator apps are sealed by another key: set SECRETS_KEY or put secrets.key back',
    )
}
