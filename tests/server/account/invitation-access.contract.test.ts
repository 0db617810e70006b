import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, openProductTables } from '#tests/support/databases.ts'
import { callerWith, idsOf, Maker, type Person, rowsOf } from '#tests/support/fleet-callers.ts'
import { LiveServer } from '#tests/support/live-server.ts'

describe.each(engines)('invitations on $name', (engine) => {
  let server: LiveServer
  let maker: Maker
  let moderator: Person
  let count = 0
  beforeAll(async () => {
    server = await LiveServer.open(await openProductTables(engine))
    const { token } = await server.signedIn({ email: 'root@example.com', role: 'admin' })
    maker = new Maker(server, token)
    moderator = await maker.person('moderator')
  })
  afterAll(() => server.close())

  /** Id of the invitation of an account that the admin makes. */
  const invited = async (role: string) => {
    const email = `invited-${++count}@example.com`
    await maker.made('user', { email, role, firstName: 'Ivan', lastName: 'Orlov' })
    const [row] = await server.rows<{ id: string; userId: string }>(
      `select "id", "userId" from "invitation" where "email" = '${email}'`,
    )
    return { id: String(row?.id), userId: String(row?.userId), email }
  }
  const newAddress = async (who: Person) => {
    const email = `address-${++count}@example.com`
    const answer = await who.post(`user/${who.id}/change-email`, { email, password: 'tiny-otter-waves-42' })
    expect(answer.status, answer.text).toBeLessThan(300)
    const [row] = await server.rows<{ id: string }>(`select "id" from "invitation" where "email" = '${email}'`)
    return { id: String(row?.id), email }
  }

  it('of admins and other moderators, and their new addresses, are not there for a moderator', async () => {
    const [admin, other] = [await maker.person('admin'), await maker.person('moderator')]
    const hidden = [await invited('admin'), await invited('moderator'), await newAddress(admin), await newAddress(other)]
    const client = await invited('client')
    const own = await newAddress(moderator)
    const listed = await moderator.get('invitation?_start=0&_end=200')
    expect(idsOf(listed)).toEqual(expect.arrayContaining([client.id, own.id]))
    expect(Number(listed.headers['x-total-count'])).toBe(idsOf(listed).length)
    const exported = await moderator.get('export/invitation')
    expect(exported.status).toBe(200)
    expect(exported.text).toContain(client.email)
    for (const { id, email } of hidden) {
      expect(listed.text).not.toContain(email)
      expect(exported.text).not.toContain(email)
      expect(rowsOf(await moderator.get(`invitation?email=${encodeURIComponent(email)}`))).toEqual([])
      expect(rowsOf(await moderator.get(`invitation?q=${encodeURIComponent(email)}`))).toEqual([])
      const answers = [
        await moderator.get(`invitation/${id}`),
        await moderator.put(`user/invitation/${id}/resend`),
        await moderator.delete(`invitation/${id}`),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
      expect((await maker.admin.get(`invitation/${id}`)).status).toBe(200)
    }
    expect((await moderator.get(`invitation/${client.id}`)).status).toBe(200)
    expect((await moderator.delete(`invitation/${client.id}`)).status).toBe(204)
  })

  it('follow the role that the invited person has now', async () => {
    const { id, userId } = await invited('installer')
    expect((await moderator.get(`invitation/${id}`)).status).toBe(200)
    await server.rows(`update "user" set "role" = 'moderator' where "id" = '${userId}'`)
    expect((await moderator.get(`invitation/${id}`)).status).toBe(404)
    expect(idsOf(await moderator.get('invitation?_start=0&_end=200'))).not.toContain(id)
  })

  it('tell a moderator of changes of those alone that a list shows', async () => {
    const { token } = await server.signedIn({ email: `hearer-${++count}@example.com`, role: 'moderator' })
    const stream = await (await server.stream(token)).ready()
    const hidden = await invited('admin')
    const client = await invited('client')
    await stream.until(({ told }) => told.some(({ id }) => id === client.id))
    expect(stream.told.map(({ id }) => id)).not.toContain(hidden.id)
    stream.close()
    expect((await callerWith(server, token).get('invitation?_start=0&_end=200')).text).not.toContain(hidden.id)
  })
})
