import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createTransport } from 'nodemailer'
import type { ServerContext, ServerPart } from '#server/base/context.ts'
import type { Mail } from '#server/base/mail.ts'
import { addEvents } from '#server/db/events/add-events.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { DrainLoop } from './drain-loop.ts'
import { type MailJob, MailQueue } from './mail-queue.ts'
import { type RenderedMail, renderMail } from './render-mail.ts'

type Transport = (mail: RenderedMail) => Promise<unknown>

export type Mailer = {
  /** Queues a mail in the transaction that causes it. It is sent after the commit, by `work`. */
  add(db: Queryable, mail: Mail): Promise<void>
  /** Starts sending due mails without waiting. Never throws: failures are logged, recorded on the invitation and retried. */
  work(): void
  /** Resolves when everything due has been sent or has failed. */
  idle(): Promise<void>
  /** Starts no further mail, and waits for those under way: aborted ones would be sent again by the next start. */
  close(): Promise<void>
}

const atOnce = 10
/** The last attempt is about three hours after the first. */
const mostAttempts = 11
const retryMs = 10_000

function smtp(url: string, from: string): Transport {
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
  const transport = createTransport({ url, pool: true, maxConnections: 5, ...limits })
  return (mail) => transport.sendMail({ ...mail, from, disableFileAccess: true, disableUrlAccess: true })
}

/** Without a mail server each mail is written to a file for the operator, atomically. */
function outbox({ config, clock }: Pick<ServerContext, 'config' | 'clock'>): Transport {
  const folder = join(config.dataDir, 'outbox')
  return async (mail) => {
    const at = clock().toISOString()
    const name = `${at.replace(/\D/g, '')}-${randomBytes(6).toString('hex')}.json`
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const unfinished = join(folder, `.${name}`)
    await writeFile(unfinished, `${JSON.stringify({ at, from: config.mailFrom, ...mail }, null, 2)}\n`, { mode: 0o600 })
    await rename(unfinished, join(folder, name))
  }
}

/** Permanent errors: an unknown address, or a mail that the server never accepts. A retry cannot help. */
const isFinal = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, 'code') === 'EENVELOPE' && Number(Reflect.get(error, 'responseCode')) >= 500

type Outcome = 'sent' | 'retry' | 'final'

/** Sends mails by `SMTP_URL`, or writes them to the outbox folder. */
export function createMailer(context: ServerContext): Mailer {
  const { config, clock, database, log } = context
  const { kysely } = database
  const transport = config.smtpUrl ? smtp(config.smtpUrl, config.mailFrom) : outbox(context)
  const queue = new MailQueue()

  const note = async (invitationId: string | undefined, delivery: 'SENT' | 'FAILED') => {
    if (!invitationId) return
    const now = clock()
    await inTransaction(database, async (db) => {
      const changed = await rowsOf(
        db,
        sql<{ id: string; version: number }>`update "invitation" set "delivery" = ${delivery}, "version" = "version" + 1,
          "updatedAt" = ${now} where "id" = ${invitationId} and "delivery" is distinct from ${delivery} returning "id", "version"`,
      )
      await addEvents(
        db,
        changed.map((row) => ({ resource: 'invitation', ...row, type: 'updated' as const })),
        now,
      )
    })
  }
  const attempt = async (mail: Mail): Promise<Outcome> => {
    try {
      await transport(renderMail(mail, config.publicUrl))
      return 'sent'
    } catch (error) {
      log.error({ template: mail.template, reason: error instanceof Error ? error.message : String(error) }, 'mail not sent')
      return isFinal(error) ? 'final' : 'retry'
    }
  }
  const deliver = async ({ id, mail, attempts }: MailJob) => {
    const outcome = await attempt(mail)
    await note(mail.invitationId, outcome === 'sent' ? 'SENT' : 'FAILED')
    const isOver = outcome !== 'retry' || attempts >= mostAttempts
    if (isOver) await queue.remove(kysely, id)
    else await queue.delay(kysely, id, new Date(clock().getTime() + retryMs * 2 ** (attempts - 1)))
    if (isOver && outcome !== 'sent') log.error({ template: mail.template, attempts }, 'a mail was given up')
  }
  const round = async () => {
    for (const invitationId of await queue.dropOrphans(kysely, clock())) await note(invitationId, 'FAILED')
    const jobs = await queue.take(kysely, clock(), atOnce)
    await Promise.all(jobs.map(deliver))
    return jobs.length
  }
  const loop = new DrainLoop({ round, failed: (error) => log.warn({ err: error }, 'the mail queue stopped for a moment') })

  return {
    add: (db, mail) => queue.add(db, mail, clock()),
    work: () => void loop.work(),
    idle: loop.work,
    close: () => loop.close(),
  }
}

const mailers = new WeakMap<ServerContext, Mailer>()

/** The server's mailer, shared by all its parts. */
export function mailerOf(context: ServerContext): Mailer {
  const made = mailers.get(context) ?? createMailer(context)
  mailers.set(context, made)
  return made
}

const everyMs = 5_000

/** Retries unsent mails after a failure or a restart. */
export const mailPart: ServerPart = {
  name: 'mail',
  async start(context) {
    const mailer = mailerOf(context)
    const timer = setInterval(mailer.work, everyMs)
    timer.unref()
    mailer.work()
    return () => {
      clearInterval(timer)
      return mailer.close()
    }
  },
}
