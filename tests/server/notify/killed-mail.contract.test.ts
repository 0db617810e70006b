import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/query.ts'
import { engines } from '#tests/support/databases.ts'
import { MailReceiver } from '#tests/support/mail-receiver.ts'
import { ServerProcess } from '#tests/support/server-process.ts'

const [first, invited, admin] = ['first@example.com', 'new@example.com', 'admin@example.com']
const password = 'another-otter-waves-43'
const tokenIn = (mail: string | undefined, path: string) => new RegExp(`${path}#token=([\\w-]{43})`).exec(mail ?? '')?.[1] ?? ''

describe.each(engines)('letters of a server that is killed on $name', (engine) => {
  let server: ServerProcess
  const receiver = new MailReceiver()
  const start = () => server.start({ SMTP_URL: receiver.url })
  beforeAll(async () => {
    await receiver.open()
    server = await ServerProcess.on(engine)
    await start()
  }, 90_000)
  afterAll(async () => {
    await server.remove()
    await receiver.close()
  })

  /** The queue of a server that is dead; what it has claimed is due again. */
  async function queueLeft(): Promise<Record<string, unknown>[]> {
    const database = await server.openDatabase()
    const rows = await rowsOf(database.kysely, sql<Record<string, unknown>>`select * from "mailJob" order by "id"`)
    await sql`update "mailJob" set "dueAt" = now()`.execute(database.kysely)
    await database.close()
    return rows
  }

  const invite = (email: string) => server.call('POST', 'user', { email, role: 'client', firstName: 'New', lastName: 'One' })
  const deliveries = async () =>
    (await server.call<{ delivery: string }[]>('GET', 'invitation?_sort=createdAt&_order=asc')).map(({ delivery }) => delivery)

  it('come again under the same Message-ID when the kill came before the answer of the mail server', async () => {
    receiver.answers = (line) => line !== '.'
    await invite(first)
    await expect.poll(() => receiver.mailsTo(first).length, { timeout: 10_000 }).toBe(1)
    await server.kill()
    expect(await queueLeft()).toHaveLength(1)
    receiver.answers = () => true
    await start()
    await expect.poll(() => receiver.mailsTo(first).length, { timeout: 30_000 }).toBe(2)
    const ids = receiver.mailsTo(first).map((mail) => /^Message-ID: (<.+>)$/im.exec(mail)?.[1])
    expect(ids[0]).toMatch(/^<[\w-]+@127\.0\.0\.1>$/)
    expect(ids[1]).toBe(ids[0])
    await expect.poll(deliveries, { timeout: 10_000 }).toEqual(['SENT'])
  }, 180_000)

  it('arrive once each with links that work, when their mail server was away and the server was killed meanwhile', async () => {
    await receiver.close()
    await invite(invited)
    await server.call('POST', 'user/restore-password', { email: admin })
    const asked = () => server.call<object[]>('GET', 'audit-log?action=restore-password')
    await expect.poll(asked, { timeout: 10_000 }).toHaveLength(1)
    await expect.poll(deliveries, { timeout: 10_000 }).toEqual(['SENT', 'FAILED'])
    await server.kill()
    const left = await queueLeft()
    expect(left).toHaveLength(2)
    await receiver.open()
    await start()
    await expect.poll(deliveries, { timeout: 30_000 }).toEqual(['SENT', 'SENT'])
    await expect.poll(() => receiver.mailsTo(admin).length, { timeout: 30_000 }).toBe(1)
    const tokens = [
      tokenIn(receiver.mailsTo(invited)[0], '/register/complete'),
      tokenIn(receiver.mailsTo(admin)[0], '/restore-password'),
    ]
    // A dump of the database opened no account meanwhile.
    for (const token of tokens) expect(JSON.stringify(left)).not.toContain(token)
    await server.call('PUT', 'user/register/complete', { token: tokens[0], password, firstName: 'New', lastName: 'One' })
    await server.call('PUT', 'user/restore-password/complete', { token: tokens[1], password })
    await expect.poll(() => receiver.mailsTo(admin).length, { timeout: 30_000 }).toBe(2)
    expect(receiver.mailsTo(admin)[1]).toContain('Subject: Your password was changed')
    await server.kill()
    expect(await queueLeft()).toEqual([])
    expect([receiver.mailsTo(invited), receiver.mailsTo(admin)].map(({ length }) => length)).toEqual([1, 2])
  }, 180_000)
})
