import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { passwordsOf } from '#server/account/session/password.ts'
import type { ServerContext, ServerPart } from '#server/base/context.ts'
import { isDemoOpen } from '#server/base/demo-variables.ts'
import { rowOf } from '#server/db/query.ts'
import { type EngineOptions, engineOf } from '#server/engine/engine-part.ts'
import { demoRoutes } from './demo-routes.ts'
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
  if (!made) return
  console.log(`Demo fleet: ${made.ess} ESS, ${made.boards} boards, ${made.clients} clients, ${made.firmware} firmware versions`)
}

/** Demo accounts can sign in only while the demo is on, with this start's password. */
async function setDemoPasswords(context: ServerContext, passwordHash: string): Promise<void> {
  const { kysely } = context.database
  await sql`update "credential" set "passwordHash" = ${passwordHash}, "changedAt" = ${context.clock()}
    where "userId" in (select "userId" from "demoAccount")`.execute(kysely)
}

const hasAccounts = async ({ database }: ServerContext): Promise<boolean> =>
  (await rowOf(database.kysely, sql`select 1 from "demoAccount" limit 1`)) !== undefined

async function closeDemoAccounts(context: ServerContext): Promise<void> {
  if (!(await hasAccounts(context))) return
  await setDemoPasswords(context, await passwordsOf(context).hash(randomBytes(32).toString('hex')))
  await sql`update "session" set "endedAt" = ${context.clock()}, "endReason" = 'demo off', "providerToken" = null
    where "endedAt" is null and "userId" in (select "userId" from "demoAccount")`.execute(context.database.kysely)
}

/** The demo's accounts; they never count as an installation's own admin. */
export const demoUsers = sql`(select "userId" from "demoAccount")`

const openDemo =
  'Everybody who reaches this server knows that password: set DEMO_PASSWORD to one of your own, or NODE_ENV=production for a server without a demo'

/** Seeds the demo fleet on an empty database; enables its accounts while the demo is on and disables them otherwise. */
export const demoPart = (options: EngineOptions): ServerPart => ({
  name: 'demo',
  prepare: async (context) => {
    const { demo, demoPassword } = context.config
    if (!demo || !demoPassword) return closeDemoAccounts(context)
    if ((await usersIn(context)) === 0) await seed(context, demoPassword)
    else await setDemoPasswords(context, await passwordsOf(context).hash(demoPassword))
    if (!(await hasAccounts(context))) return
    console.log(`Sign in as ${demoAccounts.map(({ email }) => email).join(', ')} with the password ${demoPassword}`)
    if (isDemoOpen(context.config)) console.warn(openDemo)
  },
  register: (api, context) => demoRoutes(api, engineOf(context, options)),
})
