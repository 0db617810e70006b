import { sql } from 'kysely'
import { noticeKinds } from '#resources/fleet/notice-kinds.ts'
import { filled, type Label, type Language, say } from '#schema/words.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { addMail } from '#server/notify/mail-queue.ts'
import { notifyUser } from '#server/notify/notify-user.ts'
import type { Rollout } from './rollout-store.ts'

type Person = { id: string; email: string; firstName: string; language: Language | null; push: string; mail: string }

/** People on duty: everyone who may pause a rollout. */
const onDuty = (db: Queryable): Promise<Person[]> =>
  rowsOf(
    db,
    sql<Person>`select "id", "email", "firstName", "language", coalesce("notificationPrefs"->>'push', 'CRITICAL') as "push",
        coalesce("notificationPrefs"->>'email', 'OFF') as "mail"
      from "user" where "role" = any(${sql.val(noticeKinds.rolloutPaused)}::text[]) and "lockedAt" is null and "deletedAt" is null order by "id"`,
  )

/** An automatically paused rollout is as serious as a critical warning: everyone is notified who has not switched those off. */
export async function notifyRolloutPaused(db: Queryable, { id, name }: Rollout, why: Label, now: Date): Promise<void> {
  const title = filled(['Rollout paused: {name}', 'Раскатка приостановлена: {name}'], { name })
  const page = `/rollout/${id}`
  for (const { id: userId, email, firstName, language, push, mail } of await onDuty(db)) {
    if (push !== 'OFF') await notifyUser(db, { userId, title, body: why, tone: 'warn', link: page, now })
    if (mail === 'OFF') continue
    const values = { name: firstName, rollout: name, why: say(why, language ?? 'en') }
    await addMail(db, { to: email, language: language ?? 'en', template: 'rollout-paused', values, page }, now)
  }
}
