import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type Outbox, outboxMailDetailSchema, outboxSchema } from '#schema/wire/import-report.ts'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { freshCaller } from '#server/engine/records/fresh-confirmation.ts'
import { type Engine, transact } from '#server/engine/records/work.ts'

const access = ['admin'] as const
const most = 200
/** File names start with the time, so they sort by time. */
const fileName = /^\d{17}-[0-9a-f]{12}\.json$/
const idOf = (name: string) => name.replace(/\.json$/, '')
const params = z.object({ id: z.string().regex(/^\d{17}-[0-9a-f]{12}$/) })

const stored = z.object({ at: z.string(), to: z.string(), subject: z.string(), text: z.string() })

async function readMail(folder: string, id: string) {
  const text = await readFile(join(folder, `${id}.json`), 'utf8').catch(() => undefined)
  const mail = text === undefined ? undefined : stored.safeParse(JSON.parse(text)).data
  return mail && { id, ...mail }
}

const linkIn = (text: string): string | null => /https?:\/\/\S+#token=[\w-]+/.exec(text)?.[0] ?? null

/** Mails of an installation without a mail server: an admin passes on their links. Reading one needs a fresh confirmation. */
export function outboxRoutes(api: Api, engine: Engine): void {
  const { config } = engine.context
  const folder = join(config.dataDir, 'outbox')
  const active = config.smtpUrl === undefined

  api.get(
    '/outbox',
    {
      config: { access },
      schema: { summary: 'Mails that were not sent by a server', tags: ['filling'], response: { 200: outboxSchema } },
    },
    async (): Promise<Outbox> => {
      if (!active) return { active, mails: [] }
      const names = (await readdir(folder).catch(() => [])).filter((name) => fileName.test(name))
      const newest = names.toSorted().toReversed().slice(0, most)
      const mails = await Promise.all(newest.map((name) => readMail(folder, idOf(name))))
      return {
        active,
        mails: mails.flatMap((mail) => (mail ? [{ id: mail.id, at: mail.at, to: mail.to, subject: mail.subject }] : [])),
      }
    },
  )

  api.get(
    '/outbox/:id',
    {
      config: { access, audit: { action: 'read', entityType: 'outbox' } },
      schema: {
        summary: 'One of these mails with its link; audited, and after a fresh confirmation only',
        tags: ['filling'],
        params,
        response: { 200: outboxMailDetailSchema },
      },
    },
    async (request) => {
      const mail = active ? await readMail(folder, request.params.id) : undefined
      if (!mail) throw problem('not-found')
      await transact(engine, request, async (work) => {
        // Its link works: who reads it can take over the account that it was sent to.
        await freshCaller(engine, work)
        const { id, to, subject } = mail
        await work.audit({ action: 'read', entityType: 'outbox', entityId: id, code: to, after: { subject } })
      })
      return { ...mail, link: linkIn(mail.text) }
    },
  )
}
