import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Mail } from '#server/base/mail.ts'
import { MailQueue } from '#server/notify/mail-queue.ts'

import { oneEngine } from '#tests/support/databases.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

const letter = (invitationId: string): Mail => ({
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
    for (const id of ['a', 'b', 'c', 'd', 'e']) await slow.add(db(), letter(id), now())
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
    await own.add(db(), letter('a'), now())
    const [job] = await own.take(db(), now(), 1)
    await own.delay(db(), job?.id ?? '', new Date(server.now + 3_600_000))
    server.pass(1800)
    expect(await new MailQueue().dropOrphans(db(), now())).toEqual([])
  })
})
