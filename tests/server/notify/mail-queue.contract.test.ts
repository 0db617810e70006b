import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Mail } from '#server/base/mail.ts'
import { sealingVaultOf } from '#server/base/secret-vault.ts'
import { MailQueue } from '#server/notify/mail-queue.ts'
import { mailerOf, mailPart } from '#server/notify/mailer.ts'

import { oneEngine } from '#tests/support/databases.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

const mailWithLink = (invitationId: string): Mail => ({
  to: `${invitationId}@example.com`,
  language: 'en',
  template: 'register',
  values: { name: 'Ann', until: 'tomorrow' },
  token: 'T',
  invitationId,
})

describe.each(oneEngine(import.meta.filename))('a queue of letters with links on $name', (engine) => {
  let server: PeopleServer
  beforeAll(async () => {
    server = await openPeopleServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(() => server.rows('delete from "mailJob"'))

  const db = () => server.database.kysely
  const now = () => new Date(server.now)
  const vaultOfKey = (secretsKey: string) =>
    sealingVaultOf({ secretsKey, dataDir: server.folder, databaseUrl: 'postgres://elsewhere' })
  const tokensTaken = async (queue: MailQueue) => (await queue.take(db(), now(), 9)).map(({ mail }) => mail.token)

  it('seals the token of a link for its row, and gives it to every process that has the key', async () => {
    const [one, other] = [new MailQueue(vaultOfKey('a')), new MailQueue(vaultOfKey('a'))]
    await one.add(db(), mailWithLink('a'), now())
    await one.add(db(), mailWithLink('b'), now())
    expect(JSON.stringify(await server.rows('select * from "mailJob"'))).not.toContain('"T"')
    expect(await tokensTaken(other)).toEqual(['T', 'T'])
    server.pass(300)
    await server.rows(`update "mailJob" set "token" = (select "token" from "mailJob" order by "id" limit 1)`)
    expect((await tokensTaken(other)).toSorted()).toEqual(['T', undefined])
  })

  it('leaves mails that another key seals to those who have it, for a day in which they could start', async () => {
    const [own, other] = [new MailQueue(vaultOfKey('a')), new MailQueue(vaultOfKey('b'))]
    await own.add(db(), mailWithLink('a'), now())
    server.pass(86_000)
    expect(await tokensTaken(other)).toEqual([])
    server.pass(500)
    expect(await tokensTaken(other)).toEqual([])
    server.pass(86_000)
    expect(await tokensTaken(other)).toEqual([undefined])
  })

  it('sends no letter whose link is lost, and the invitation says so', async () => {
    const { token } = await server.signedIn({ email: 'admin@example.com', role: 'admin' })
    const body = { email: 'new@example.com', role: 'client', firstName: 'A', lastName: 'B' }
    await server.mails()
    const queue = new MailQueue(vaultOfKey('b'))
    expect((await server.call('POST', 'user', { token, body })).status).toBe(201)
    await mailerOf(server.context).idle()
    const [invitation] = await server.rows<{ id: string; delivery: string }>('select "id", "delivery" from "invitation"')
    expect(invitation?.delivery).toBe('SENT')
    const sent = (await server.mails()).length
    await queue.add(db(), mailWithLink(invitation?.id ?? ''), now())
    server.pass(86_500)
    await mailerOf(server.context).idle()
    expect(await server.mails()).toHaveLength(sent)
    expect(await server.rows('select "delivery" from "invitation"')).toEqual([{ delivery: 'FAILED' }])
    expect(await server.rows('select "dueAt" from "mailJob"')).toEqual([{ dueAt: null }])
    expect(await server.rows('select "state", "failure" from "undelivered_message"')).toEqual([
      { state: 'FAILED', failure: 'LINK' },
    ])
  })

  it('is not left in the middle of a mail by a shutdown, which begins no further one', async () => {
    const order: string[] = []
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const connected: Promise<Socket[]> = once(silent, 'connection')
    const address = silent.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const slow = await openPeopleServer(engine, { SMTP_URL: `smtp://127.0.0.1:${port}` })
    const mailer = mailerOf(slow.context)
    await mailer.add(slow.database.kysely, mailWithLink('a'))
    const stop = await mailPart.start?.(slow.context)
    const [socket] = await connected
    const stopped = stop?.().then(() => order.push('stopped'))
    await sleep(200)
    order.push('the mail server answers')
    socket?.end('421 busy\r\n')
    await stopped
    expect(order).toEqual(['the mail server answers', 'stopped'])
    await mailer.add(slow.database.kysely, mailWithLink('b'))
    await mailer.idle()
    const tried = `select "attempts", "dueAt" > '${new Date(slow.now).toISOString()}' as "isPutOff" from "mailJob" order by "id"`
    expect(await slow.rows(tried)).toEqual([
      { attempts: 1, isPutOff: true },
      { attempts: 0, isPutOff: false },
    ])
    await slow.close()
    silent.close()
  })
})
