import { sql } from 'kysely'
import { noticeKinds } from '#resources/fleet/notice-kinds.ts'
import { updateStates } from '#resources/shared/updates.ts'
import { composed, intlOf, type Label, say } from '#schema/words.ts'
import { isReachable, pushLevel } from '#server/account/recipients/recipients.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { notifyUser } from '#server/notify/notify-user.ts'
import type { Update } from './update-rows.ts'

const levels: Readonly<Record<string, number>> = { OFF: 9, INFO: 1, WARNING: 2, CRITICAL: 3 }
/** Severity of an outcome, for users who want to be notified of problems only. */
const weightOf: Readonly<Record<string, number>> = { SUCCEEDED: 1, FAILED: 3, ROLLED_BACK: 3, EXPIRED: 3 }

/** Notifies the requester of an update of its outcome, by the notification settings. */
export async function notifyOutcome(
  db: Queryable,
  { id, requestedBy, status, controlPcbId, toVersion }: Update,
  now: Date,
): Promise<void> {
  const weight = weightOf[status]
  if (!requestedBy || weight === undefined) return
  const person = await rowOf(
    db,
    sql<{
      level: string
      board: string
    }>`select ${pushLevel} as "level", "b"."code" as "board"
      from "user" "u", "control_pcb" "b" where "u"."id" = ${requestedBy} and "u"."role" = any(${sql.val(noticeKinds.updateOutcome)}::text[]) and ${isReachable} and "b"."id" = ${controlPcbId}`,
  )
  if (!person || weight < (levels[person.level] ?? 9)) return
  const { label, tone } = updateStates[status]
  const title = composed((language) =>
    say(['Firmware update: {state}', 'Обновление прошивки: {state}'], language, {
      state: say(label, language).toLocaleLowerCase(intlOf(language)),
    }),
  )
  const body: Label = [`${person.board} · ${toVersion}`, `${person.board} · ${toVersion}`]
  await notifyUser(db, { userId: requestedBy, title, body, tone, link: `/firmware-update/${id}`, now })
}
