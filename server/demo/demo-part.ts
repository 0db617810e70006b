import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { passwordsOf } from '#server/account/password.ts'
import type { Config } from '#server/base/config.ts'
import type { ServerContext, ServerPart } from '#server/base/context.ts'
import { rowOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { demoAccounts } from './people.ts'
import { seedDemo } from './seed.ts'

const usersIn = async ({ database }: ServerContext) =>
  (await rowOf(database.kysely, sql<{ count: number }>`select count(*) as "count" from "user"`))?.count ?? 0

async function seed(context: ServerContext, password: string): Promise<void> {
  const { config, database, definitions, clock } = context
  const passwords = passwordsOf(context)
  const form = definitions.get('control-pcb')?.actions?.configure?.form?.desired
  const made = await seedDemo(database, {
    seed: config.demoSeed,
    essCount: config.demoSize,
    now: clock(),
    passwordHash: await passwords.hash(password),
    lockedHash: await passwords.hash(randomBytes(32).toString('hex')),
    configurationFields: form?.type === 'group' ? form.fields : {},
  })
  console.log(`Demo fleet: ${made.ess} ESS, ${made.boards} boards, ${made.clients} clients, ${made.firmware} firmware versions`)
}

/** The known accounts open only while the demo is on, and with the password of this start. */
async function setDemoPasswords(context: ServerContext, passwordHash: string): Promise<void> {
  const { kysely } = context.database
  await sql`update "credential" set "passwordHash" = ${passwordHash}, "changedAt" = ${context.clock()}
    where "userId" in (select "userId" from "demoAccount")`.execute(kysely)
}

async function closeDemoAccounts(context: ServerContext): Promise<void> {
  const known = await rowOf(context.database.kysely, sql`select 1 from "demoAccount" limit 1`)
  if (!known) return
  await setDemoPasswords(context, await passwordsOf(context).hash(randomBytes(32).toString('hex')))
  await sql`update "session" set "endedAt" = ${context.clock()}, "endReason" = 'demo off'
    where "endedAt" is null and "userId" in (select "userId" from "demoAccount")`.execute(context.database.kysely)
}

const demoUsers = sql`(select "userId" from "demoAccount")`

/** The first admin of an installation: made when no other active admin is there. */
async function makeFirstAdmin(context: ServerContext, { adminEmail, adminPassword }: Config): Promise<void> {
  const { database, clock } = context
  const admin = await rowOf(
    database.kysely,
    sql`select 1 from "user" where "role" = 'admin' and "lockedAt" is null and "deletedAt" is null and "id" not in ${demoUsers}`,
  )
  if (admin) return
  if (!adminEmail || !adminPassword) {
    console.warn('There is no admin: set ADMIN_EMAIL and ADMIN_PASSWORD and start again, or nobody can sign in')
    return
  }
  const taken = await rowOf(database.kysely, sql`select 1 from "user" where "email" = ${adminEmail}`)
  if (taken) {
    console.warn(`There is no admin, and ${adminEmail} belongs to another account: choose another ADMIN_EMAIL`)
    return
  }
  const now = clock()
  const id = uuidv7()
  const passwordHash = await passwordsOf(context).hash(adminPassword)
  await inTransaction(database, async (db) => {
    await sql`insert into "user" ("id", "email", "role", "firstName", "lastName", "createdAt", "updatedAt") values (${id}, ${adminEmail}, 'admin', 'First', 'Admin', ${now}, ${now})`.execute(
      db,
    )
    await sql`insert into "credential" ("userId", "passwordHash", "changedAt") values (${id}, ${passwordHash}, ${now})`.execute(
      db,
    )
  })
  console.log(`First admin: ${adminEmail}`)
}

/** First records: the demo fleet on an empty database, the first admin of a real one. */
export const demoPart: ServerPart = {
  name: 'first records',
  prepare: async (context) => {
    const { config } = context
    const { demo, demoPassword } = config
    if (!demo || !demoPassword) {
      await closeDemoAccounts(context)
      return makeFirstAdmin(context, config)
    }
    if ((await usersIn(context)) === 0) await seed(context, demoPassword)
    else await setDemoPasswords(context, await passwordsOf(context).hash(demoPassword))
    console.log(`Sign in as ${demoAccounts.map(({ email }) => email).join(', ')} with the password ${demoPassword}`)
  },
}
