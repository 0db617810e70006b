import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { ServerContext, ServerPart } from '#server/base/context.ts'
import { rowOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { passwordsOf } from './session/password.ts'

type NewAdmin = { email: string; password: string }

async function addAdmin(context: ServerContext, { email, password }: NewAdmin): Promise<void> {
  const now = context.clock()
  const id = uuidv7()
  const passwordHash = await passwordsOf(context).hash(password)
  const isMade = await inTransaction(context.database, async (db) => {
    // Another process that starts at the same time may have made him meanwhile.
    const made = await rowOf(
      db,
      sql`insert into "user" ("id", "email", "role", "firstName", "lastName", "createdAt", "updatedAt")
        values (${id}, ${email}, 'admin', 'First', 'Admin', ${now}, ${now}) on conflict do nothing returning 1`,
    )
    if (!made) return false
    await sql`insert into "credential" ("userId", "passwordHash", "changedAt")
      values (${id}, ${passwordHash}, ${now})`.execute(db)
    return true
  })
  if (isMade) console.log(`First admin: ${email}`)
}

async function ensureAdmin(context: ServerContext, exceptUsers: RawBuilder<unknown>): Promise<void> {
  const { config, database } = context
  const { adminEmail: email, adminPassword: password } = config
  const admin = await rowOf(
    database.kysely,
    sql`select 1 from "user" where "role" = 'admin' and "lockedAt" is null and "deletedAt" is null and "id" not in ${exceptUsers}`,
  )
  if (admin) return
  if (!email || !password) {
    console.warn('There is no admin: set ADMIN_EMAIL and ADMIN_PASSWORD and start again, or nobody can sign in')
    return
  }
  const taken = await rowOf(database.kysely, sql`select 1 from "user" where "email" = ${email}`)
  if (taken) {
    console.warn(`There is no admin, and ${email} belongs to another account: choose another ADMIN_EMAIL`)
    return
  }
  await addAdmin(context, { email, password })
}

/**
 * Creates the first admin of an installation when no active one is left. `exceptUsers` selects accounts that do not count;
 * a demo has its own admin.
 */
export const firstAdminPart = (exceptUsers: RawBuilder<unknown>): ServerPart => ({
  name: 'first admin',
  prepare: async (context) => {
    const { demo, demoPassword } = context.config
    if (!demo || !demoPassword) await ensureAdmin(context, exceptUsers)
  },
})
