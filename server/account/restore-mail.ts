import { sql } from 'kysely'
import type { Language } from '#schema/words.ts'
import { rowsOf } from '#server/db/query.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { nameOf, type Person } from './user-store.ts'

type Admin = { email: string; language: Language | null }

/** Notifies all admins when a deleted account is restored. */
export async function notifyAdmins(work: Pick<Work, 'db' | 'mail' | 'language'>, person: Person): Promise<void> {
  const admins = await rowsOf(
    work.db,
    sql<Admin>`select "email", "language" from "user" where "role" = 'admin' and "lockedAt" is null and "deletedAt" is null`,
  )
  for (const { email, language } of admins) {
    const values = { name: nameOf(person), email: person.email }
    work.mail({ to: email, language: language ?? work.language, template: 'restored', values })
  }
}
