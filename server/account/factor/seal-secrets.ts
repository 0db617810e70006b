import { sql } from 'kysely'
import type { ServerContext } from '#server/base/context.ts'
import { vaultOf } from '#server/base/secret-vault.ts'
import { rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'

type Stored = { key: string; owner: string; secret: string }
type Place = { table: string; key: string; owner: string; what: string; counted: string }

/** Tables with encrypted secrets: key column, owner column, and name and count in the log. */
const places = [
  { table: 'totp', key: 'userId', owner: 'userId', what: 'authenticator apps', counted: 'people' },
  { table: 'webhookSecret', key: 'id', owner: 'webhookId', what: 'webhooks', counted: 'secrets' },
] as const satisfies readonly Place[]

type Found = { lost: number; readable: number }

const sealPlace = (
  { config, database }: Pick<ServerContext, 'config' | 'database'>,
  { table, key, owner }: Place,
): Promise<Found> =>
  inTransaction(database, async (db) => {
    const id = sql.id(key)
    const rows = await rowsOf(
      db,
      sql<Stored>`select ${id} as "key", ${sql.id(owner)} as "owner", "secret" from ${sql.table(table)} order by ${id} for update`,
    )
    if (rows.length === 0) return { lost: 0, readable: 0 }
    const vault = vaultOf(config)
    const old = rows.filter(({ secret }) => !vault.isCurrent(secret))
    const opened = old.map((row) => ({ ...row, text: vault.open(row.secret, row.owner) }))
    for (const row of opened) {
      if (row.text === undefined) continue
      const sealed = vault.seal(row.text, row.owner)
      await sql`update ${sql.table(table)} set "secret" = ${sealed} where ${id} = ${row.key}`.execute(db)
    }
    const readable = vault.seals ? 0 : rows.length - old.length
    return { lost: opened.filter(({ text }) => text === undefined).length, readable }
  })

/**
 * Re-encrypts secrets of an earlier release or another key. Logs secrets that no available key decrypts, and a server without a
 * key.
 */
export async function sealSecrets({ config, database, log }: ServerContext): Promise<void> {
  for (const place of places) {
    const { lost, readable } = await sealPlace({ config, database }, place)
    const { what, counted } = place
    if (readable > 0) log.warn({ [counted]: readable }, `secrets of ${what} are readable in the database: set SECRETS_KEY`)
    if (lost > 0)
      log.error({ [counted]: lost }, `secrets of ${what} are sealed by another key: set SECRETS_KEY or put secrets.key back`)
  }
}
