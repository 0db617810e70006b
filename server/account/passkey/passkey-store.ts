import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'

/** A passkey as its owner sees it. */
export type Passkey = { id: string; name: string; createdAt: string; lastUsedAt: string | null }
type Key = { credentialId: string; publicKey: string; counter: number; transports: readonly string[] }
export type StoredPasskey = Omit<Key, 'transports'> & { id: string; userId: string }

/** Limit per user: an unattended session cannot fill the table. */
const mostPasskeys = 20

export const passkeysOf = (db: Queryable, userId: string): Promise<Passkey[]> =>
  rowsOf(
    db,
    sql<Passkey>`select "id", "name", "createdAt", "lastUsedAt" from "passkey" where "userId" = ${userId}
      order by "createdAt", "id"`,
  )

/** Credential descriptors: ids and transports. */
export async function credentialsOf(db: Queryable, userId: string): Promise<{ id: string; transports: string[] }[]> {
  const rows = await rowsOf(
    db,
    sql<{
      id: string
      transports: string
    }>`select "credentialId" as "id", "transports" from "passkey" where "userId" = ${userId}`,
  )
  return rows.map(({ id, transports }) => ({ id, transports: transports.split(' ').filter(Boolean) }))
}

export const ownerOf = async (db: Queryable, credentialId: string): Promise<string | undefined> =>
  (await rowOf(db, sql<{ userId: string }>`select "userId" from "passkey" where "credentialId" = ${credentialId}`))?.userId

/** Locked until the end of the transaction: of two concurrent uses the second sees the counter of the first. */
export async function lockPasskey(db: Queryable, userId: string, credentialId: string): Promise<StoredPasskey | undefined> {
  const found = await rowOf(
    db,
    sql<StoredPasskey>`select "id", "userId", "credentialId", "publicKey", "counter" from "passkey"
      where "credentialId" = ${credentialId} and "userId" = ${userId} for update`,
  )
  return found && { ...found, counter: Number(found.counter) }
}

export const recordUse = (db: Queryable, id: string, { counter, now }: { counter: number; now: Date }): Promise<unknown> =>
  sql`update "passkey" set "counter" = ${counter}, "lastUsedAt" = ${now} where "id" = ${id}`.execute(db)

type NewPasskey = Key & { userId: string; name: string; now: Date }

/** Stores a passkey; returns the refusal when the device already has one for any account, or the limit is reached. */
export async function keepPasskey(
  db: Queryable,
  { userId, credentialId, publicKey, counter, transports, name, now }: NewPasskey,
): Promise<'passkey.present' | 'passkey.too-many' | undefined> {
  if ((await passkeysOf(db, userId)).length >= mostPasskeys) return 'passkey.too-many'
  const kept = await rowOf(
    db,
    sql`insert into "passkey" ("id", "userId", "credentialId", "publicKey", "counter", "transports", "name", "createdAt")
      values (${uuidv7()}, ${userId}, ${credentialId}, ${publicKey}, ${counter}, ${transports.join(' ')}, ${name}, ${now})
      on conflict ("credentialId") do nothing returning 1`,
  )
  return kept ? undefined : 'passkey.present'
}

/** Renames a passkey of the user. Returns the former name; undefined when there is no such passkey. */
export const renamePasskey = async (
  db: Queryable,
  { userId, id, name }: { userId: string; id: string; name: string },
): Promise<string | undefined> =>
  (
    await rowOf(
      db,
      sql<{ name: string }>`update "passkey" "new" set "name" = ${name} from "passkey" "old"
        where "new"."id" = ${id} and "new"."userId" = ${userId} and "old"."id" = "new"."id" returning "old"."name" as "name"`,
    )
  )?.name

/** Deletes a passkey of the user. Returns its name; undefined when there is no such passkey. */
export const dropPasskey = async (db: Queryable, { userId, id }: { userId: string; id: string }): Promise<string | undefined> =>
  (await rowOf(db, sql<{ name: string }>`delete from "passkey" where "id" = ${id} and "userId" = ${userId} returning "name"`))
    ?.name
