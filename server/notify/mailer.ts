import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createTransport } from 'nodemailer'
import type { ServerContext } from '#server/base/context.ts'
import type { Mail, SendMail } from '#server/base/mail.ts'
import { type RenderedMail, renderMail } from './render-mail.ts'

type Transport = (mail: RenderedMail) => Promise<unknown>

export type Mailer = {
  /** Hands a mail over without waiting. It never throws: what fails is logged and noted on the invitation. */
  send(mail: Mail): void
  /** Resolves once everything that was handed over has left or failed. */
  idle(): Promise<void>
}

function smtp(url: string, from: string): Transport {
  const transport = createTransport({ url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 })
  return (mail) => transport.sendMail({ ...mail, from, disableFileAccess: true, disableUrlAccess: true })
}

/** Without a mail server every mail becomes a file that the operator can read, one each, complete or not there. */
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

/** Sends mails by `SMTP_URL`, or lays them into the outbox. */
export function createMailer(context: ServerContext): Mailer {
  const { config, database, log } = context
  const transport = config.smtpUrl ? smtp(config.smtpUrl, config.mailFrom) : outbox(context)
  const underway = new Set<Promise<void>>()

  const note = async (invitationId: string | undefined, delivery: 'SENT' | 'FAILED') => {
    if (!invitationId) return
    await sql`update "invitation" set "delivery" = ${delivery} where "id" = ${invitationId}`.execute(database.kysely)
  }
  const deliver = async (mail: Mail) => {
    const sent = await transport(renderMail(mail, config.publicUrl)).then(
      () => true,
      (error: unknown) => {
        log.error({ template: mail.template, reason: error instanceof Error ? error.message : String(error) }, 'mail not sent')
        return false
      },
    )
    await note(mail.invitationId, sent ? 'SENT' : 'FAILED')
  }

  return {
    send(mail) {
      const task = deliver(mail)
        .catch((error: unknown) => log.error({ err: error }, 'delivery of a mail not noted'))
        .finally(() => underway.delete(task))
      underway.add(task)
    },
    async idle() {
      while (underway.size > 0) await Promise.all(underway)
    },
  }
}

const mailers = new WeakMap<ServerContext, Mailer>()

/** The mailer of a server; all its parts use the same one. */
export function mailerOf(context: ServerContext): Mailer {
  const made = mailers.get(context) ?? createMailer(context)
  mailers.set(context, made)
  return made
}

/** Sends by the server's mailer, which is made with the first mail. */
export const mailOf =
  (context: ServerContext): SendMail =>
  (mail) =>
    mailerOf(context).send(mail)
