import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { keepHouse } from '#server/account/housekeeping-part.ts'
import { createPasswords } from '#server/account/session/password.ts'
import { signIn } from '#server/account/session/sign-in.ts'
import { engines } from '#tests/support/databases.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

const ip = '203.0.113.78'
const traces = /halloway|203\.0\.113\.78/i

describe.each(engines)('sign-ins that fail around the erasure of their person on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  beforeAll(async () => {
    server = await openPeopleServer(engine)
  })
  afterAll(() => server.close())

  /** A deleted client whose month is over with the next housekeeping. */
  async function dueClient(): Promise<{ id: string; email: string }> {
    count += 1
    const email = `someone-${count}@halloway.example`
    const id = await server.addUser({ email, role: 'client' })
    const now = new Date(server.now).toISOString()
    await server.rows(`update "user" set "deletedAt" = '${now}', "purgeAt" = '${now}' where "id" = '${id}'`)
    return { id, email }
  }

  async function tracesLeft(): Promise<string[]> {
    const tables = await server.rows<{ name: string }>(
      `select table_name as "name" from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`,
    )
    const texts: string[] = []
    for (const { name } of tables)
      for (const { text } of await server.rows<{ text: string }>(`select "t"::text as "text" from "${name}" as "t"`))
        if (traces.test(text)) texts.push(`${name}: ${text}`)
    return texts
  }

  const resultsOf = (id: string) =>
    server.rows(`select "result", "reason", "actorId" from "auditLog" where "entityId" = '${id}' and "action" = 'login'`)

  it('leave neither address nor network address in the counts of attempts', async () => {
    const { email } = await dueClient()
    for (let tries = 0; tries < 3; tries += 1) expect((await server.login(email, 'wrong-password', { ip })).status).toBe(401)
    await server.call('POST', 'user/restore-password', { ip: '192.0.2.1', body: { email } })
    await keepHouse(server.context)
    const left = await tracesLeft()
    expect(left.filter((text) => text.includes('halloway'))).toEqual([])
    await server.rows('delete from "loginAttempt"')
  })

  /** A sign-in that has read its person and verifies the password while the person is erased. */
  async function underWay(email: string, password: string) {
    const passwords = createPasswords({ memoryKiB: 64, passes: 1 })
    let judge = (): void => undefined
    const judged = new Promise<void>((resolve) => {
      judge = resolve
    })
    const verify = vi.fn<typeof passwords.verify>(async (...asked) => {
      await judged
      return passwords.verify(...asked)
    })
    const config = { tokenTtlS: 900, requireSecondFactor: [], oidcOnly: [], publicUrl: 'https://console.example' }
    const onManyFailures = vi.fn()
    const asked = { email, password, ip, label: '', requestId: '', onManyFailures }
    const context = { database: server.database, clock: () => new Date(server.now), config }
    const refused = signIn(context, { ...passwords, verify }, asked).then(
      () => undefined,
      (error: unknown) => error,
    )
    await vi.waitFor(() => expect(verify).toHaveBeenCalled())
    return { judge, refused, onManyFailures }
  }

  it.each(['wrong-password', 'tiny-otter-waves-42'])(
    'note that one failed, and neither address nor network address, when it ends after the erasure: %s',
    async (password) => {
      const { id, email } = await dueClient()
      const { judge, refused, onManyFailures } = await underWay(email, password)
      await server.rows(`insert into "loginAttempt" ("key", "at")
        select 'failures:${email}', '${new Date(server.now).toISOString()}' from generate_series(1, 9)`)
      await keepHouse(server.context)
      judge()
      expect(await refused).toMatchObject({ code: 'login-failed' })
      expect((await tracesLeft()).filter((text) => !text.includes(',address:'))).toEqual([])
      expect(await resultsOf(id)).toEqual([{ result: 'FAILED', reason: 'wrong-password', actorId: id }])
      expect(onManyFailures).not.toHaveBeenCalled()
    },
  )
})
