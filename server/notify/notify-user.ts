import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Tone } from '#schema/field-types.ts'
import type { Label } from '#schema/words.ts'
import type { Queryable } from '#server/db/query.ts'
import { addNotification } from './note.ts'
import { addPushJobs } from './push-jobs.ts'

/** `link` is the console path opened by a click; `tone` sets the icon, default `info`. */
export type UserNote = { userId: string; title: Label; body: Label; tone?: Tone; link?: string; now: Date }

const isOwnPath = (link: string) => /^\/(?![/\\])[^\s\\]*$/.test(link)

/**
 * Notifies a user on commit of the transaction `db`: in open consoles, and by push to the user's devices. Returns the
 * notification's id. Throws when the link leaves the console.
 */
export async function notifyUser(db: Queryable, { userId, title, body, tone = 'info', link, now }: UserNote): Promise<string> {
  if (link !== undefined && !isOwnPath(link)) throw new Error(`A notification links to a page of the console, not to ${link}`)
  const note = { id: uuidv7(), title, body, tone, link: link ?? null }
  await addNotification(db, { userId, note, now })
  await addPushJobs(db, { note, now, devices: sql`"userId" = ${userId}` })
  return note.id
}
