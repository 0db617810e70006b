import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
    server.rows<{ entityType: string; after: { filter: string; rows: number; matching: number } }>(
      `select "entityType", "after" from "auditLog" where "actorId" = '${reader.id}' and "action" = 'list' order by "at", "id"`,
    )

  const rowsNoted = async () => (await noted()).map(({ after }) => after.rows)

  it('leaves one entry that says of what, by which filter, and how many', async () => {
    await list('user/client?email_like=client-&_start=0&_end=2')
    // Written after the answer.
    await expect.poll(noted).toEqual([
      {
        entityType: 'client',
        after: { list: 'user/client', filter: 'email_like=client-', rows: 2, matching: 3 },
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
})
