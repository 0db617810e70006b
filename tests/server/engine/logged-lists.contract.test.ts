import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

describe.each(oneEngine(import.meta.filename))('a list with contact data on $name', (engine) => {
  let server: PeopleServer
  let count = 0
  let reader = { id: '', token: '' }
  beforeAll(async () => {
    server = await openPeopleServer(engine, { TOKEN_TTL_S: '7200' })
    for (let index = 0; index < 3; index++)
      await server.addUser({ email: `client-${index}@example.com`, role: 'client', firstName: 'Ann' })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    reader = await server.signedIn({ email: `reader-${++count}@example.com`, role: 'moderator' })
  })

  const list = async (path: string) => {
    const answer = await server.call('GET', path, { token: reader.token })
    expect(answer.status, answer.text).toBe(200)
    return answer
  }
  const noted = async () =>
    server.rows<{ entityType: string; after: { filters: Record<string, string>; rows: number; matching: number } }>(
      `select "entityType", "after" from "auditLog" where "actorId" = '${reader.id}' and "action" = 'list' order by "at", "id"`,
    )

  const rowsNoted = async () => (await noted()).map(({ after }) => after.rows)

  it('leaves one entry that says of what, by which filter, and how many', async () => {
    await list('user/client?email_like=client-&_start=0&_end=2')
    // Written after the answer.
    await expect.poll(noted).toEqual([
      {
        entityType: 'client',
        after: { list: 'user/client', filters: { email_like: 'client-' }, rows: 2, matching: 3 },
      },
    ])
  })

  it('is noted once an hour for the same query of the same reader, and again for another page', async () => {
    const first = 'user/client?email_like=client-&_start=0&_end=2'
    for (const path of [first, first, 'user/client?email_like=client-&_start=2&_end=4', first]) await list(path)
    await expect.poll(rowsNoted).toEqual([2, 1])
    server.pass(3_601)
    reader.token = await server.tokenOf(`reader-${count}@example.com`)
    await list(first)
    await expect.poll(rowsNoted).toEqual([2, 1, 2])
  })

  it('leaves no entry when it is empty, refused, or of something else', async () => {
    await list('user/client?email=nobody@example.com')
    await list('ess')
    expect((await server.call('GET', 'user/client?nonsense=1', { token: reader.token })).status).toBe(400)
    await list('user/client?email_like=client-')
    await expect.poll(rowsNoted).toEqual([3])
  })

  describe('of other records', () => {
    const lists = async () => (await noted()).map(({ entityType, after }) => [entityType, after.filters, after.rows])
    beforeAll(async () => {
      const [client] = await server.rows<{ id: string }>(`select "id" from "user" where "email" = 'client-0@example.com'`)
      await server.rows(`insert into "ess" ("id", "code", "name", "ownerId", "maintenance") values
        ('owned', 'EMB-1', 'Owned', '${client?.id}', null), ('free', 'EMB-2', 'Free', null, null),
        ('closed', 'EMB-3', 'Closed', null, '{"until":"2030-01-01T00:00:00Z","byId":"${client?.id}"}')`)
    })

    it('is noted where a row names a person with an address, also inside a group', async () => {
      await list('ess?name=Owned')
      await list('ess?name=Owned')
      await list('ess?name=Closed')
      await expect.poll(lists).toEqual([
        ['ess', { name: 'Owned' }, 1],
        ['ess', { name: 'Closed' }, 1],
      ])
    })

    it('is noted as soon as it names a person, and read for that once for each answer', async () => {
      const parse = vi.spyOn(JSON, 'parse')
      let asked = 0
      const ask = async () => {
        for (let time = 0; time < 3; time++) await list('ess?name=New')
        asked += 3
      }
      // The test reads each answer, too.
      const parsed = () => parse.mock.calls.filter(([text]) => String(text).includes('"EMB-4"')).length - asked
      onTestFinished(() => parse.mockRestore())
      await server.rows(
        `insert into "ess" ("id", "code", "name", "installerId") values ('new', 'EMB-4', 'New', '${reader.id}')`,
      )
      await ask()
      await expect.poll(parsed).toBe(1)
      await server.rows(`update "ess" set "installerId" = null where "id" = 'new'`)
      await ask()
      await list('ess?name=Owned')
      await expect.poll(lists).toEqual([['ess', { name: 'Owned' }, 1]])
      expect(parsed()).toBe(1)
      await server.rows(`update "ess" set "ownerId" = (select "ownerId" from "ess" where "id" = 'owned') where "id" = 'new'`)
      await list('ess?name=New')
      await expect.poll(lists).toEqual([
        ['ess', { name: 'Owned' }, 1],
        ['ess', { name: 'New' }, 1],
      ])
    })

    it('leaves no entry where rows name nobody, the reader alone, or only who made them', async () => {
      await server.rows(`update "ess" set "installerId" = '${reader.id}', "createdBy" = (select "ownerId" from "ess" where "id" = 'owned')
        where "id" = 'free'`)
      await list('ess?name=Free')
      await list('ess?name=Owned')
      await expect.poll(lists).toEqual([['ess', { name: 'Owned' }, 1]])
    })
  })
})
