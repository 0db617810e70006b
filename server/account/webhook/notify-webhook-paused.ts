import { sql } from 'kysely'
import { noticeKinds } from '#resources/fleet/notice-kinds.ts'
import { webhook as definition } from '#resources/webhook.ts'
import type { ServerReason } from '#schema/server-reasons.ts'
import { filled, type Language, say } from '#schema/words.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { addServerAudit } from '#server/engine/audit/audit-entry.ts'
import { addMail } from '#server/notify/mail-queue.ts'
import { notifyUser } from '#server/notify/notify-user.ts'
import type { Health } from './webhook-jobs.ts'

type Person = { id: string; email: string; firstName: string; language: Language | null; push: string; mail: string }

const reasons = { GONE: 'webhook.gone', FAILING: 'webhook.failing' } as const satisfies Record<string, ServerReason>

/** Users who may resume it. */
const admins = (db: Queryable): Promise<Person[]> =>
  rowsOf(
    db,
    sql<Person>`select "id", "email", "firstName", "language", coalesce("notificationPrefs"->>'push', 'CRITICAL') as "push",
        coalesce("notificationPrefs"->>'email', 'OFF') as "mail"
      from "user" where "role" = any(${sql.val(noticeKinds.webhookPaused)}::text[]) and "lockedAt" is null and "deletedAt" is null order by "id"`,
  )

type Pause = { webhook: Health; reason: keyof typeof reasons; now: Date }

/**
 * An integration that receives no more warnings is as serious as a critical warning: everyone is notified who has not switched
 * those off.
 */
export async function notifyWebhookPaused(db: Queryable, { webhook, reason, now }: Pause): Promise<void> {
  const { id, name } = webhook
  const title = filled(['Webhook paused: {name}', 'Вебхук приостановлен: {name}'], { name })
  const why = definition.fields.pausedBecause.options[reason]
  const page = `/webhook/${id}`
  await addServerAudit(db, {
    at: now,
    action: 'pause',
    entityType: 'webhook',
    entityId: id,
    code: name,
    before: { state: 'ACTIVE' },
    after: { state: 'PAUSED', pausedBecause: reason },
    reason: reasons[reason],
  })
  for (const { id: userId, email, firstName, language, push, mail } of await admins(db)) {
    if (push !== 'OFF') await notifyUser(db, { userId, title, body: why, tone: 'warn', link: page, now })
    if (mail === 'OFF') continue
    const own = language ?? 'en'
    const values = { name: firstName, webhook: name, why: say(why, own) }
    await addMail(db, { to: email, language: own, template: 'webhook-paused', values, page }, now)
  }
}
