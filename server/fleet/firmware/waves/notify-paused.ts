import { noticeKinds } from '#resources/fleet/notice-kinds.ts'
import { filled, type Label } from '#schema/words.ts'
import { recipientsOf, tellRecipient } from '#server/account/recipients/recipients.ts'
import type { Queryable } from '#server/db/query.ts'
import type { Rollout } from './rollout-store.ts'

/** An automatically paused rollout is as serious as a critical warning: everyone is notified who has not switched those off. */
export async function notifyRolloutPaused(db: Queryable, { id, name }: Rollout, why: Label, now: Date): Promise<void> {
  const title = filled(['Rollout paused: {name}', 'Раскатка приостановлена: {name}'], { name })
  const message = { title, body: why, tone: 'warn', link: `/rollout/${id}`, now } as const
  for (const one of await recipientsOf(db, noticeKinds.rolloutPaused))
    await tellRecipient(db, one, { ...message, template: 'rollout-paused', values: { rollout: name, why } })
}
