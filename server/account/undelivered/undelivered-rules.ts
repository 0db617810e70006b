import { sql } from 'kysely'
import { accountProblem } from '#server/account/problems.ts'
import { hashToken } from '#server/account/session/token.ts'
import type { MailTemplate } from '#server/base/mail.ts'
import { problem } from '#server/base/problems.ts'
import { sealingVaultOf } from '#server/base/secret-vault.ts'
import { rowOf } from '#server/db/query.ts'
import type { ActionHandler, ResourceRules, Work } from '#server/engine/records/resource-rules.ts'
import { needsToken } from '#server/notify/render-mail.ts'

/** Refuses a mail whose link no longer works: it expired, was used, or a newer one took its place. */
async function refuseDeadLink({ db, now, config }: Work, id: string, sealed: string): Promise<void> {
  const token = sealingVaultOf(config).open(sealed, id)
  if (token === undefined) throw accountProblem('undelivered.link-lost')
  const link = await rowOf(
    db,
    sql`select 1 from "link" where "tokenHash" = ${hashToken(token)} and "usedAt" is null and "expiresAt" > ${now}`,
  )
  if (!link) throw accountProblem('undelivered.link-dead')
}

/** Requeues a mail under its own id with a full set of attempts. */
const sendAgain: ActionHandler = async ({ id, work }) => {
  const { db, now, caller } = work
  const mail = await rowOf(
    db,
    sql<{ token: string | null; template: MailTemplate }>`update "mailJob" set "attempts" = 0, "dueAt" = ${now}
      where "id" = ${id} and "dueAt" is null returning "token", "mail"->>'template' as "template"`,
  )
  if (!mail) throw problem('not-found')
  if (mail.token !== null) await refuseDeadLink(work, id, mail.token)
  else if (needsToken(mail.template)) throw accountProblem('undelivered.link-lost')
  await sql`update "undelivered_message" set "state" = 'WAITING', "version" = "version" + 1, "updatedAt" = ${now},
    "updatedBy" = ${caller.userId} where "id" = ${id}`.execute(db)
}

export const undeliveredRules: ResourceRules = {
  actions: { 'send-again': sendAgain },
  indexes: [
    `create index if not exists "undelivered_message_givenUpAt_ix" on "undelivered_message" ("givenUpAt")`,
    `create index if not exists "undelivered_message_userId_ix" on "undelivered_message" ("userId")`,
  ],
}
