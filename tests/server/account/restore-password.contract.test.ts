import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerRestores } from '#server/account/restore-password.ts'
import { engines, oneEngine } from '#tests/support/databases.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'
import { ServerProcess } from '#tests/support/server-process.ts'

describe.each(engines)('a forgotten password on $name', (engine) => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await ServerProcess.on(engine)
    await server.start()
  }, 90_000)
  afterAll(() => server.remove())

  async function recipients(): Promise<string[]> {
    const folder = join(server.dataDir, 'outbox')
    const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d.*\.json$/.test(name))
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    return texts.map((text) => String(JSON.parse(text).to))
  }

  it('is answered by the next start when the server was killed at its answer, once and to the known alone', async () => {
    await server.call('POST', 'user/restore-password', { email: 'nobody@example.com' })
    await server.call('POST', 'user/restore-password', { email: 'admin@example.com' })
    await server.kill()
    expect(await recipients()).toEqual([])
    await server.start()
    // A dead server holds the lease of the jobs for fifteen seconds.
    await expect.poll(recipients, { timeout: 40_000, interval: 200 }).toEqual(['admin@example.com'])
    const audited = await server.call<object[]>('GET', 'audit-log?action=restore-password')
    expect(audited).toMatchObject([{ code: 'admin@example.com', ip: '127.0.0.1' }])
  }, 180_000)
})

describe.each(oneEngine(import.meta.filename))('requests for a new password that a server has left on $name', (engine) => {
  let server: PeopleServer
  beforeAll(async () => {
    server = await openPeopleServer(engine)
    for (const who of ['left', 'fresh', 'late']) await server.addUser({ email: `${who}@example.com`, role: 'client' })
  })
  afterAll(() => server.close())

  it('are looked up once by all servers, and neither too soon nor after an hour', async () => {
    const leave = (email: string, seconds: number) =>
      server.rows(`insert into "restoreRequest" ("id", "email", "language", "ip", "requestId", "at")
        values ('${email}', '${email}', 'ru', '198.51.100.7', 'a1', '${new Date(server.now - seconds * 1000).toISOString()}')`)
    await leave('left@example.com', 30)
    await leave('nobody@example.com', 30)
    await leave('fresh@example.com', 1)
    await leave('late@example.com', 3_601)
    await Promise.all([answerRestores(server.context), answerRestores(server.context)])
    expect((await server.mails()).map(({ to, subject }) => [to, subject])).toEqual([
      ['left@example.com', 'Задайте новый пароль'],
    ])
    expect(await server.rows('select "email" from "restoreRequest"')).toEqual([{ email: 'fresh@example.com' }])
    const audited = await server.rows('select "code", "ip", "requestId" from "auditLog" where "action" = \'restore-password\'')
    expect(audited).toEqual([{ code: 'left@example.com', ip: '198.51.100.7', requestId: 'a1' }])
  })
})
