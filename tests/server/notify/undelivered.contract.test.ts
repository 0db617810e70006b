import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { messageKinds } from '#resources/shared/message-kinds.ts'
import { purgeUsers } from '#server/account/erasure/user-purge.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { mailTemplates } from '#server/notify/mail-templates.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { pruneUndelivered } from '#server/notify/undelivered.ts'
import { engines } from '#tests/support/databases.ts'
import { MailReceiver } from '#tests/support/mail-receiver.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

const to = 'new@example.com'
const chosen = { password: 'a-tiny-otter-of-42', firstName: 'A', lastName: 'B' }

it('Messages that are given up have a kind for each template, and one for pushes', () => {
  expect(Object.keys(messageKinds).toSorted()).toEqual([...Object.keys(mailTemplates), 'push'].toSorted())
})

describe.each(engines)('a mail that was given up on $name', (engine) => {
  let server: PeopleServer
  let token = ''
  const receiver = new MailReceiver()
  beforeAll(async () => {
    await receiver.open()
    await receiver.close()
    server = await openPeopleServer(engine, { SMTP_URL: receiver.url })
    token = (await server.signedIn({ email: 'admin@example.com', role: 'admin' })).token
  })
  afterAll(() => server.close())
  afterEach(async () => {
    await receiver.close()
    for (const table of ['undelivered_message', 'mailJob', 'invitation', 'link']) await server.rows(`delete from "${table}"`)
    await server.rows(`delete from "user" where "email" = '${to}'`)
  })

  const list = async (): Promise<Record<string, unknown>[]> =>
    JSON.parse((await server.call('GET', 'undelivered-message', { token })).text)
  const sendAgain = (id: unknown) => server.call('PUT', `undelivered-message/${String(id)}/send-again`, { token })
  /** Tries until nothing is due any more. */
  async function giveUp(): Promise<void> {
    for (let attempt = 0; attempt < 11; attempt++) {
      await mailerOf(server.context).idle()
      await server.rows(`update "mailJob" set "dueAt" = '${new Date(server.now).toISOString()}' where "dueAt" is not null`)
    }
  }
  async function invite(): Promise<void> {
    const body = { email: to, role: 'client', firstName: 'A', lastName: 'B' }
    expect((await server.call('POST', 'user', { token, body })).status).toBe(201)
  }
  const delivery = () => server.rows('select "delivery" from "invitation"')

  it('is shown to admins, and arrives with its link when it is sent again', async () => {
    await invite()
    await giveUp()
    const [lost, ...others] = await list()
    expect(others).toEqual([])
    expect(lost).toMatchObject({ channel: 'MAIL', kind: 'register', recipient: to, state: 'FAILED', attempts: 11 })
    expect(lost).toMatchObject({ failure: 'UNREACHABLE', userId: expect.any(String) })
    const record = await server.call('GET', `undelivered-message/${String(lost?.id)}`, { token })
    expect(record.body).toMatchObject({ failureText: expect.stringContaining('ECONNREFUSED') })
    expect(await delivery()).toEqual([{ delivery: 'FAILED' }])
    await receiver.open()
    expect(await sendAgain(lost?.id)).toMatchObject({ status: 200, body: { state: 'WAITING' } })
    await mailerOf(server.context).idle()
    const [mail = ''] = receiver.mailsTo(to)
    const secret = /complete#token=([\w-]{43})/.exec(mail)?.[1]
    const done = await server.call('PUT', 'user/register/complete', { body: { token: secret, ...chosen } })
    expect(done.status).toBe(200)
    expect(await list()).toMatchObject([{ state: 'SENT' }])
    expect(await delivery()).toEqual([{ delivery: 'SENT' }])
    expect(await server.rows('select 1 from "mailJob"')).toEqual([])
    const audit = `select "action", "code", "result" from "auditLog" where "entityType" = 'undelivered-message'`
    // The list names recipients, so reading it is an entry of its own.
    expect(await server.rows(`${audit} and "action" <> 'list'`)).toEqual([{ action: 'send-again', code: to, result: 'OK' }])
    expect((await sendAgain(lost?.id)).status).toBe(409)
  })

  it('that fails again is the same record, and can be sent once more', async () => {
    await invite()
    await giveUp()
    const [lost] = await list()
    await sendAgain(lost?.id)
    await giveUp()
    expect(await list()).toMatchObject([{ id: lost?.id, state: 'FAILED', attempts: 11 }])
    expect((await sendAgain(lost?.id)).status).toBe(200)
  })

  it('is refused with a reason when its link has expired or its key is gone', async () => {
    await invite()
    await giveUp()
    const [lost] = await list()
    const sealed = await server.rows<{ token: string }>('select "token" from "mailJob"')
    await server.rows(`update "mailJob" set "token" = 'v1.anotherk.AAAA'`)
    expect(await sendAgain(lost?.id)).toMatchObject({ status: 409, body: { code: 'undelivered.link-lost' } })
    await server.rows(`update "mailJob" set "token" = '${sealed[0]?.token}'`)
    await server.rows(`update "link" set "expiresAt" = '${new Date(server.now - 1000).toISOString()}'`)
    expect(await sendAgain(lost?.id)).toMatchObject({ status: 409, body: { code: 'undelivered.link-dead' } })
    expect(await list()).toMatchObject([{ state: 'FAILED' }])
    expect(await server.rows('select "dueAt" from "mailJob"')).toEqual([{ dueAt: null }])
  })

  it('goes after 30 days with its mail, and with the person it was for', async () => {
    await invite()
    await giveUp()
    const inDays = (days: number) => new Date(server.now + days * 86_400_000)
    await pruneUndelivered(server.database.kysely, inDays(29.9))
    expect(await list()).toHaveLength(1)
    await pruneUndelivered(server.database.kysely, inDays(30.1))
    expect(await list()).toEqual([])
    expect(await server.rows('select 1 from "mailJob"')).toEqual([])
    await server.rows(`update "link" set "usedAt" = now()`)
    await server.rows(`delete from "invitation"`)
    await server.rows(`delete from "user" where "email" = '${to}'`)
    await invite()
    await giveUp()
    await server.rows(
      `update "user" set "deletedAt" = now(), "purgeAt" = '${new Date(server.now).toISOString()}' where "email" = '${to}'`,
    )
    await inTransaction(server.database, (db) => purgeUsers(db, server.context, new Date(server.now)))
    expect(await list()).toEqual([])
    expect(await server.rows('select 1 from "mailJob"')).toEqual([])
  })
})
