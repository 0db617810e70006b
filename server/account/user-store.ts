import { type RawBuilder, sql } from 'kysely'
import type { Role } from '#schema/roles.ts'
import type { Language } from '#schema/words.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'

/** Facts about a user for the account rules. `isComplete`: the account was completed, by a password or through the provider. */
export type Person = {
  id: string
  version: number
  email: string
  role: Role
  firstName: string | null
  lastName: string | null
  language: Language | null
  lockedAt: string | null
  deletedAt: string | null
  pendingEmail: string | null
  passwordHash: string | null
  passwordAt: string | null
  isComplete: boolean
}

const person = sql.raw(`u."id", u."version", u."email", u."role", u."firstName", u."lastName", u."language", u."lockedAt",
  u."deletedAt", u."pendingEmail", c."passwordHash", c."changedAt" as "passwordAt",
  (c."userId" is not null or exists (select from "oidcSubject" o where o."userId" = u."id")) as "isComplete" from "user" u left join "credential" c on c."userId" = u."id"`)

/** A user with the credentials, deleted and locked ones among them; undefined for an unknown id. */
export const personById = (db: Queryable, id: string): Promise<Person | undefined> =>
  rowOf(db, sql<Person>`select ${person} where u."id" = ${id}`)

export const personByEmail = (db: Queryable, email: string): Promise<Person | undefined> =>
  rowOf(db, sql<Person>`select ${person} where u."email" = ${email}`)

export const nameOf = ({ firstName, lastName, email }: Pick<Person, 'firstName' | 'lastName' | 'email'>): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email

/** A time as mails show it, independent of the recipient's locale. */
export const momentText = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

type Set = Readonly<Record<string, string | number | Date | null | RawBuilder<unknown>>>

/** Updates columns of a user and increments the version. `by` is the author. */
export async function updatePerson(
  work: Pick<Work, 'db' | 'now'>,
  { id, by, set }: { id: string; by: string; set: Set },
): Promise<number> {
  const assigned = Object.entries(set).map(([name, value]) => sql`${sql.id(name)} = ${value}`)
  const row = await rowOf(
    work.db,
    sql<{ version: number }>`update "user" set ${sql.join(assigned)}, "version" = "version" + 1, "updatedAt" = ${work.now},
      "updatedBy" = ${by} where "id" = ${id} returning "version"`,
  )
  return row?.version ?? 0
}

/** The same with a live event: for calls outside of the engine, which emits its own. */
export async function changePerson(
  work: Pick<Work, 'db' | 'now' | 'changed'>,
  change: { id: string; by: string; set: Set },
): Promise<void> {
  const version = await updatePerson(work, change)
  work.changed({ resource: 'user', id: change.id, version, type: 'updated' })
}

/**
 * Locks the user if the password is unchanged since the read; false otherwise. Verifying a password takes time in which it may
 * change. Compared by time: a concurrent sign-in may rehash the same password.
 */
export async function hasSamePassword(db: Queryable, { id, passwordAt }: Person): Promise<boolean> {
  const row = await rowOf(
    db,
    sql`select 1 from "credential" where "userId" = ${id} and "changedAt" = ${passwordAt} for no key update`,
  )
  return row !== undefined
}

export async function setPassword(
  db: Queryable,
  { userId, hash, now }: { userId: string; hash: string; now: Date },
): Promise<void> {
  await sql`insert into "credential" ("userId", "passwordHash", "changedAt") values (${userId}, ${hash}, ${now})
    on conflict ("userId") do update set "passwordHash" = excluded."passwordHash", "changedAt" = excluded."changedAt"`.execute(
    db,
  )
}
