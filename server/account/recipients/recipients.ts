import { type RawBuilder, sql } from 'kysely'
import { noticeLevels } from '#resources/fleet/notice-defaults.ts'
import type { Severity } from '#resources/fleet/warnings/levels.ts'
import type { Role } from '#schema/roles.ts'
import { type Label, type Language, say } from '#schema/words.ts'
import type { Mail } from '#server/base/mail.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { addMail } from '#server/notify/mail-queue.ts'
import { notifyUser, type UserNote } from '#server/notify/notify-user.ts'

/** The least severity that a channel is chosen for. */
export type NoticeLevel = Severity | 'OFF'
export type Recipient = {
  id: string
  email: string
  firstName: string
  language: Language | null
  push: NoticeLevel
  mail: NoticeLevel
}

const levelOf = (way: keyof typeof noticeLevels): RawBuilder<NoticeLevel> =>
  sql`coalesce("u"."notificationPrefs"->>${sql.lit(way)}, ${sql.lit(noticeLevels[way])})`
/** The chosen levels of the user "u". */
export const pushLevel = levelOf('push')
export const mailLevel = levelOf('email')

/** Columns of a recipient, of the user "u". */
export const recipientColumns = sql`"u"."id", "u"."email", "u"."firstName", "u"."language", ${pushLevel} as "push", ${mailLevel} as "mail"`

/** True for a user "u" who is told anything at all. */
export const isReachable = sql<boolean>`"u"."lockedAt" is null and "u"."deletedAt" is null`

/** The recipients of a kind of notification, by its roles. */
export const recipientsOf = (db: Queryable, roles: readonly Role[]): Promise<Recipient[]> =>
  rowsOf(
    db,
    sql<Recipient>`select ${recipientColumns} from "user" "u" where "u"."role" = any(${sql.val(roles)}::text[]) and ${isReachable} order by "u"."id"`,
  )

type Message = Pick<UserNote, 'title' | 'body' | 'tone' | 'now'> & {
  link: string
  /** The mail says the same; `values` stand beside the name. */
  template: Mail['template']
  values: Readonly<Record<string, Label | string>>
}

/** Tells a recipient by every channel that is not off: the message is as serious as a critical warning. */
export async function tellRecipient(db: Queryable, recipient: Recipient, message: Message): Promise<void> {
  const { id, email, firstName, language: chosen, push, mail } = recipient
  const { template, values, ...note } = message
  if (push !== 'OFF') await notifyUser(db, { userId: id, ...note })
  if (mail === 'OFF') return
  const language = chosen ?? 'en'
  const said = Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : say(value, language)])
  await addMail(
    db,
    { to: email, language, template, values: { name: firstName, ...Object.fromEntries(said) }, page: note.link },
    note.now,
  )
}
