import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Config } from '#server/base/config.ts'
import type { ServerContext, ServerPart } from '#server/base/context.ts'
import type { Mail } from '#server/base/mail.ts'
import { sealingVaultOf } from '#server/base/secret-vault.ts'
import type { Queryable } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { DrainLoop } from './drain-loop.ts'
import { type MailJob, MailQueue } from './mail-queue.ts'
import { needsToken, type RenderedMail, renderMail } from './render-mail.ts'
import type { Failure } from './undelivered.ts'

/** Hands over a mail; `id` is the same in each attempt. */
type Transport = (mail: RenderedMail, id: string) => Promise<unknown>

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

/** A mail that is handed over twice, since the server was killed before it noted the first time, has one Message-ID. */
function smtp({ mailFrom: from, publicUrl }: Config, url: string): Transport {
  const { hostname } = new URL(publicUrl)
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
  const transport = createTransport({ url, pool: true, maxConnections: 5, ...limits })
  return (mail, id) =>
    transport.sendMail({ ...mail, from, messageId: `<${id}@${hostname}>`, disableFileAccess: true, disableUrlAccess: true })
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

type Outcome = { isSent: true } | ({ isSent: false; isFinal: boolean } & Failure)

const refused = { isFinal: true, failure: 'REFUSED' } as const
const unreachable = { isFinal: false, failure: 'UNREACHABLE' } as const

/** Sends mails by `SMTP_URL`, or writes them to the outbox folder. */
export function createMailer(context: ServerContext): Mailer {
  const { config, clock, database, log } = context
  const { kysely } = database
  const transport = config.smtpUrl ? smtp(config, config.smtpUrl) : outbox(context)
  const queue = new MailQueue(sealingVaultOf(config))

  const attempt = async ({ id, mail }: MailJob): Promise<Outcome> => {
    const { template, token } = mail
    if (token === undefined && needsToken(template)) {
      log.error({ template }, 'mail not sent: its link is sealed by another key, see "Secrets at rest"')
      return { isSent: false, isFinal: true, failure: 'LINK' }
    }
    try {
      await transport(renderMail(mail, config.publicUrl), id)
      return { isSent: true }
    } catch (error) {
      const failureText = error instanceof Error ? error.message : String(error)
      log.error({ template, reason: failureText }, 'mail not sent')
      return { isSent: false, failureText, ...(isFinal(error) ? refused : unreachable) }
    }
  }
  const deliver = async (job: MailJob) => {
    const { id, mail, attempts } = job
    const outcome = await attempt(job)
    const now = clock()
    return inTransaction(database, async (db) => {
      if (outcome.isSent) return queue.remove(db, id, now)
      if (!outcome.isFinal && attempts < mostAttempts)
        return queue.delay(db, id, { dueAt: new Date(now.getTime() + retryMs * 2 ** (attempts - 1)), now })
      log.error({ template: mail.template, attempts }, 'a mail was given up')
      return queue.giveUp(db, id, { ...outcome, now })
    })
  }
  const round = async () => {
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
