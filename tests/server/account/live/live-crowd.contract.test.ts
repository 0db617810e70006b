import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine, openProductTables } from '#tests/support/databases.ts'
import type { EventReader } from '#tests/support/event-reader.ts'
import { LiveServer } from '#tests/support/live-server.ts'

const [people, streamsEach] = [100, 10]
/** Time that an event and a page have beside a thousand streams; their readers share the processor of the test. */
const [mostEventMs, mostPageMs] = [5_000, 1_000]

describe.each(oneEngine(import.meta.filename))('a thousand live streams on $name', (engine) => {
  let server: LiveServer
  const tokens: string[] = []
  const readers: EventReader[] = []
  beforeAll(async () => {
    server = await LiveServer.open(await openProductTables(engine))
    const emails = Array.from({ length: people }, (_, index) => `crowd-${index}@example.com`)
    // One after the other: an address has twenty attempts under way at most.
    for (const email of emails) tokens.push((await server.signedIn({ email, role: 'admin' })).token)
  }, 120_000)
  afterAll(async () => {
    for (const reader of readers) reader.close()
    await server.close()
  })
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      server.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    )

  it('are all open, hear of a change within seconds, hold up no page, and leave nothing behind', async () => {
    const wanted = tokens.flatMap((token) => Array<string>(streamsEach).fill(token))
    for (let at = 0; at < wanted.length; at += 50)
      readers.push(...(await Promise.all(wanted.slice(at, at + 50).map((token) => server.stream(token)))))
    expect(readers.filter(({ status }) => status !== 200)).toEqual([])
    await Promise.all(readers.map((reader) => reader.ready()))
    const [token] = tokens
    const facts = { email: 'news@example.com', role: 'client', firstName: 'News', lastName: 'Person' }
    const changedAt = performance.now()
    const made = await server.call('POST', 'user', { token, body: facts })
    expect(made.status).toBe(201)
    const hears = ({ events }: EventReader) => events.some(({ data }) => data.id === made.body.id)
    const hearing = Promise.all(readers.map((reader) => reader.until(hears, mostEventMs)))
    const askedAt = performance.now()
    expect((await server.call('GET', 'user?_end=20', { token })).status).toBe(200)
    expect(performance.now() - askedAt).toBeLessThan(mostPageMs)
    await hearing
    expect(performance.now() - changedAt).toBeLessThan(mostEventMs)
    for (const reader of readers) reader.close()
    await expect.poll(connections, { timeout: 5_000 }).toBeLessThan(10)
    expect((await server.stream(String(token))).status).toBe(200)
  }, 120_000)
})
