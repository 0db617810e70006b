import { sql } from 'kysely'
import type { ServerContext, ServerPart } from '#server/base/context.ts'
import { isFactor } from './factor-store.ts'
import { sealSecrets } from './seal-secrets.ts'

/** Ends sessions opened by password alone before the role required a second factor. */
export async function endUnprotectedSessions({ config, database, clock }: ServerContext): Promise<void> {
  const { requireSecondFactor: roles } = config
  if (roles.length === 0) return
  await sql`update "session" s set "endedAt" = ${clock()}, "endReason" = 'second factor required', "providerToken" = null
    where s."endedAt" is null and s."userId" in (select u."id" from "user" u where u."role" = any(${sql.val([...roles])}::text[])
      and not ${isFactor(sql`u."id"`)})`.execute(database.kysely)
}

/** Applies stricter settings at the server's start: to open sessions, and a new key to stored secrets. */
export const requireFactorPart: ServerPart = {
  name: 'second factor',
  async prepare(context) {
    await sealSecrets(context)
    await endUnprotectedSessions(context)
  },
}
