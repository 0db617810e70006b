import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Mail } from '#server/base/mail.ts'
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
  const waiting = async () =>
    (await server.rows<{ id: string }>(`select "mail"->>'invitationId' as "id" from "mailJob" order by 1`)).map(({ id }) => id)

  it('keeps those that wait their turn while their process sends the others, and loses them with the process only', async () => {
    const slow = new MailQueue()
    const other = new MailQueue()
    for (const id of ['a', 'b', 'c', 'd', 'e']) await slow.add(db(), mailWithLink(id), now())
    for (let round = 0; round < 3; round++) {
      const [job] = await slow.take(db(), now(), 1)
      await slow.remove(db(), job?.id ?? '')
      server.pass(300)
      expect(await other.dropOrphans(db(), now())).toEqual([])
    }
    expect(await waiting()).toEqual(['d', 'e'])
    server.pass(360)
    expect((await other.dropOrphans(db(), now())).toSorted()).toEqual(['d', 'e'])
    expect(await waiting()).toEqual([])
  })

  it('keeps one that is put off for hours by a process that lives', async () => {
    const own = new MailQueue()
    await own.add(db(), mailWithLink('a'), now())
    const [job] = await own.take(db(), now(), 1)
    await own.delay(db(), job?.id ?? '', new Date(server.now + 3_600_000))
    server.pass(1800)
    expect(await new MailQueue().dropOrphans(db(), now())).toEqual([])
  })

  it('is not left in the middle of a mailWithLink by a shutdown, which begins no further one', async () => {
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
