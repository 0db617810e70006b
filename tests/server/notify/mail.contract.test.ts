import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mail } from '#server/base/mail.ts'
import { removeExpiredMails } from '#server/notify/expired-mails.ts'
import { mailTemplates } from '#server/notify/mail-templates.ts'
import { createMailer, mailerOf } from '#server/notify/mailer.ts'
import { renderMail } from '#server/notify/render-mail.ts'
import { embedded } from '#tests/support/databases.ts'
import { MailReceiver } from '#tests/support/mail-receiver.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

const write = (server: PeopleServer, mail: Mail) => mailerOf(server.context).add(server.context.database.kysely, mail)
/** Live events of the only invitation. */
const toldVersions = async (server: PeopleServer) =>
  (
    await server.rows<{ type: string; version: number }>(
      `select "type", "version" from "event" where "resource" = 'invitation' order by "id"`,
    )
  ).map(({ type, version }) => `${type} ${version}`)

const publicUrl = 'https://console.example'

describe('a mail', () => {
  it('is written in the receiver’s language', () => {
    const mail = { to: 'a@example.com', template: 'register', values: { name: 'Анна', until: 'tomorrow' }, token: 'T' } as const
    expect(renderMail({ ...mail, language: 'ru' }, publicUrl)).toMatchObject({ subject: 'Ваша учётная запись: Консоль СНЭ' })
    const { text } = renderMail({ ...mail, language: 'en' }, publicUrl)
    expect(text).toContain('Hello Анна,')
    expect(text).toContain('https://console.example/register/complete#token=T')
  })

  it('shows what people typed as text, in one line where there is one', () => {
    const name = '<a href="https://evil.example">Ann</a>\r\nBcc: victim@example.com'
    const { subject, html, text } = renderMail(
      {
        to: 'a@example.com',
        language: 'en',
        template: 'support',
        values: {
          ticket: 'S-1',
          topic: `Help\r\nBcc: x@example.com ${name}`,
          sender: name,
          email: 'b@example.com',
          message: 'one\n<b>two</b>\u202E',
        },
      },
      publicUrl,
    )
    expect(subject).not.toMatch(/[\r\n]/)
    expect(html).not.toContain('<a href="https://evil.example">')
    expect(html).toContain('&lt;b&gt;two&lt;/b&gt;')
    expect(text).not.toMatch(/\r|\u202E/)
  })

  it.each(Object.keys(mailTemplates) as (keyof typeof mailTemplates)[])(
    'of the kind %s leaves no gap and knows both languages',
    (template) => {
      const names = [
        'name',
        'until',
        'code',
        'email',
        'ticket',
        'topic',
        'sender',
        'message',
        'subject',
        'list',
        'count',
      ].concat('rollout', 'why', 'text', 'webhook', 'passkey')
      const values = Object.fromEntries(names.map((name) => [name, `«${name}»`]))
      for (const language of ['en', 'ru'] as const) {
        const { subject, text } = renderMail({ to: 'a@example.com', language, template, values, token: 'T' }, publicUrl)
        expect(`${subject} ${text}`).not.toMatch(/\{\w+\}/)
        expect(text.length).toBeGreaterThan(10)
      }
    },
  )
})

describe('the outbox', () => {
  let server: PeopleServer
  beforeAll(async () => {
    server = await openPeopleServer(embedded, { SUPPORT_EMAIL: 'support@example.com' })
  })
  afterAll(() => server.close())

  it('keeps each mail in a file that only the operator reads', async () => {
    for (let time = 0; time < 5; time++)
      await write(server, {
        to: '../../etc/passwd@example.com',
        language: 'en',
        template: 'password-changed',
        values: { name: 'Ann' },
      })
    expect(await server.mails()).toHaveLength(5)
    const names = await readdir(join(server.folder, 'outbox'))
    expect(names.every((name) => /^\d+-[0-9a-f]{12}\.json$/.test(name))).toBe(true)
    expect((await stat(join(server.folder, 'outbox', names[0] ?? ''))).mode & 0o077).toBe(0)
  })

  it('loses a letter after 30 days, and no other file', async () => {
    const folder = join(server.folder, 'outbox')
    await writeFile(join(folder, 'note.txt'), 'by the operator')
    const names = await readdir(folder)
    await removeExpiredMails(server.folder, new Date(server.now + 30 * 86_400_000 - 60_000))
    expect(await readdir(folder)).toEqual(names)
    await removeExpiredMails(server.folder, new Date(server.now + 30 * 86_400_000 + 60_000))
    expect(await readdir(folder)).toEqual(['note.txt'])
    await rm(join(folder, 'note.txt'))
  })

  it('takes a message to the support, with a ticket number to name later', async () => {
    const body = { name: 'Ann', email: 'ann@example.com', topic: 'No connection', message: 'Since\nMonday' }
    const { status, body: answer } = await server.call('POST', 'support', { body })
    expect(status).toBe(202)
    const ticket = String(answer.ticket)
    expect(ticket).toMatch(/^S\d{6}-[2-9A-Z]{5}$/)
    const mail = (await server.mails()).find(({ subject }) => subject.includes(ticket))
    expect(mail).toMatchObject({ to: 'support@example.com', replyTo: 'ann@example.com', subject: `[${ticket}] No connection` })
    for (const bad of [
      { ...body, email: 'a@b.example\r\nBcc: c@d.example' },
      { ...body, message: '' },
      { ...body, extra: 1 },
    ])
      expect((await server.call('POST', 'support', { body: bad })).status).toBe(400)
    for (let time = 0; time < 4; time++) expect((await server.call('POST', 'support', { body })).status).toBe(202)
    expect((await server.call('POST', 'support', { body })).status).toBe(429)
  })

  it('notes on the invitation that a mail could not be written', async () => {
    const { token } = await server.signedIn({ email: 'admin@example.com', role: 'admin' })
    const other = await openPeopleServer(embedded)
    await other.addUser({ email: 'admin@example.com', role: 'admin' })
    const file = join(other.folder, 'outbox')
    await mkdir(other.folder, { recursive: true })
    await writeFile(file, 'a file where the folder should be')
    const made = await other.call('POST', 'user', {
      token: await other.tokenOf('admin@example.com'),
      body: { email: 'new@example.com', role: 'client', firstName: 'A', lastName: 'B' },
    })
    expect(made.status).toBe(201)
    await mailerOf(other.context).idle()
    expect(await other.rows('select "delivery" from "invitation"')).toEqual([{ delivery: 'FAILED' }])
    expect(await toldVersions(other)).toEqual(['created 1', 'updated 2'])
    expect(token).toHaveLength(43)
    await other.close()
  })
})

describe('a mail server', () => {
  it('is handed the mail when one is set', async () => {
    const receiver = await new MailReceiver().open()
    const server = await openPeopleServer(embedded, {
      SMTP_URL: receiver.url,
      MAIL_FROM: 'Console <console@example.com>',
    })
    await write(server, {
      to: 'ann@example.com',
      language: 'en',
      template: 'password-changed',
      values: { name: 'Ann' },
    })
    await mailerOf(server.context).idle()
    await server.close()
    await receiver.close()
    expect(receiver.lines).toContain('MAIL FROM:<console@example.com>')
    expect(receiver.lines).toContain('RCPT TO:<ann@example.com>')
    expect(receiver.lines).toContain('Subject: Your password was changed')
  })

  it('that refuses for a while gets the mail later, also from a server that was started again meanwhile', async () => {
    const receiver = await new MailReceiver().open()
    await receiver.close()
    const server = await openPeopleServer(embedded, { SMTP_URL: receiver.url })
    await write(server, { to: 'ann@example.com', language: 'en', template: 'password-changed', values: { name: 'Ann' } })
    await mailerOf(server.context).idle()
    expect(await server.rows('select "attempts" from "mailJob"')).toEqual([{ attempts: 1 }])
    await receiver.open()
    server.pass(60)
    await createMailer(server.context).idle()
    expect(receiver.mailsTo('ann@example.com')).toHaveLength(1)
    expect(await server.rows('select 1 from "mailJob"')).toEqual([])
    await server.close()
    await receiver.close()
  })
})
