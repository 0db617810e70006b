import { sql } from 'kysely'
import type { ServerContext, ServerPart } from '#server/base/context.ts'
import { isFactor } from './factor-store.ts'
import { sealSecrets } from './seal-secrets.ts'

/** Ends sessions that were opened by the password alone before the role had to have a second factor. */
export async function endUnprotectedSessions({ config, database, clock }: ServerContext): Promise<void> {
  const { requireSecondFactor: roles } = config
  if (roles.length === 0) return
  await sql`update "session" s set "endedAt" = ${clock()}, "endReason" = 'second factor required'
    where s."endedAt" is null and s."userId" in (select u."id" from "user" u where u."role" = any(${sql.val([...roles])}::text[])
      and not ${isFactor(sql`u."id"`)})`.execute(database.kysely)
}

/** A setting that asks for more holds from the start of the server on, for sessions that are open, and a key for what is stored, too. */
export const requireFactorPart: ServerPart = {
  name: 'second factor',
  async prepare(context) {
    await sealSecrets(context)
    await endUnprotectedSessions(context)
  },
}
