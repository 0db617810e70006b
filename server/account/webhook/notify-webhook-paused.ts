import { noticeKinds } from '#resources/fleet/notice-kinds.ts'
import { webhook as definition } from '#resources/webhook.ts'
import type { ServerReason } from '#schema/server-reasons.ts'
import { filled } from '#schema/words.ts'
import { recipientsOf, tellRecipient } from '#server/account/recipients/recipients.ts'
import type { Queryable } from '#server/db/query.ts'
import { addServerAudit } from '#server/engine/audit/audit-entry.ts'
import type { Health } from './webhook-jobs.ts'

const reasons = { GONE: 'webhook.gone', FAILING: 'webhook.failing' } as const satisfies Record<string, ServerReason>

type Pause = { webhook: Health; reason: keyof typeof reasons; now: Date }

/**
 * An integration that receives no more warnings is as serious as a critical warning: everyone is notified who has not switched
 * those off.
 */
export async function notifyWebhookPaused(db: Queryable, { webhook, reason, now }: Pause): Promise<void> {
  const { id, name } = webhook
  const title = filled(['Webhook paused: {name}', 'Вебхук приостановлен: {name}'], { name })
  const why = definition.fields.pausedBecause.options[reason]
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
  const message = { title, body: why, tone: 'warn', link: `/webhook/${id}`, now } as const
  for (const admin of await recipientsOf(db, noticeKinds.webhookPaused))
    await tellRecipient(db, admin, { ...message, template: 'webhook-paused', values: { webhook: name, why } })
}
