import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '#schema/format/durations.ts'

const keptMs = 30 * dayMs
const time = /^\d{17}(?=-[0-9a-f]{12}\.json$)/

/** Deletes mails of the outbox after 30 days: their links have expired, and they contain addresses. */
export async function removeExpiredMails(dataDir: string, now: Date): Promise<void> {
  const folder = join(dataDir, 'outbox')
  const before = new Date(now.getTime() - keptMs).toISOString().replace(/\D/g, '')
  const names = await readdir(folder).catch(() => [])
  const old = names.filter((name) => (time.exec(name)?.[0] ?? before) < before)
  for (const name of old) await rm(join(folder, name), { force: true })
}

/** Deletes the mails to these addresses from the outbox. */
export async function removeMailsTo(dataDir: string, emails: readonly string[]): Promise<void> {
  const folder = join(dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => time.test(one))) {
    const path = join(folder, name)
    const text = await readFile(path, 'utf8').catch(() => '{}')
    if (emails.some((email) => text.includes(JSON.stringify(email)))) await rm(path, { force: true })
  }
}
